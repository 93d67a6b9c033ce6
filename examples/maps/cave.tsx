<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="cave" tilewidth="32" tileheight="32" tilecount="3" columns="3">
 <image source="cave.png" width="96" height="32"/>
 <tile id="1">
  <objectgroup draworder="index">
   <object id="1" x="0" y="32">
    <polygon points="0,0 32,-32 32,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="2">
  <properties>
   <property name="solid" type="bool" value="false"/>
  </properties>
 </tile>
</tileset>
