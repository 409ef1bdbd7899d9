#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
# The pictures of doc/tutorial.md, from the files that its commands have made.
#
#   doc/scripts/tutorial_pictures.sh [FOLDER]     default: doc/pictures/tutorial
#
# Needs gmsh, xvfb, chromium, and Debian's python3-vtk9.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(realpath "${1:-doc/pictures/tutorial}")
mkdir -p "$folder"
script=$(mktemp --suffix .geo)
trap 'rm -f "$script"' EXIT

# gmsh_picture FILE NAME OPTION...: what Gmsh's window shows of a file.
gmsh_picture() {
  {
    printf 'Merge "%s";\n' "$PWD/$1"
    printf '%s;\n' General.GraphicsWidth=1000 General.GraphicsHeight=640 General.MenuWidth=0 General.BackgroundGradient=0 \
      'General.Color.Background=White' 'General.Color.Text=Black' General.Axes=0 General.PolygonOffsetAlwaysOn=1 \
      General.Light0X=-0.4 General.Light0Y=0.5 General.Light0Z=1.2 Geometry.Points=0 General.Trackball=0 \
      General.RotationX=295 General.RotationZ=328 General.ScaleX=0.9 General.ScaleY=0.9 General.ScaleZ=0.9 "${@:3}"
    printf 'Draw;\nPrint "%s";\nExit;\n' "$folder/$2"
  } > "$script"
  xvfb-run -a -s '-screen 0 1400x1000x24' gmsh "$script" > /dev/null
}

gmsh_picture prm/meshes/clevis.step step.png Geometry.Surfaces=1 Geometry.SurfaceType=2
gmsh_picture prm/meshes/clevis.msh mesh.png Geometry.Curves=0 Mesh.SurfaceFaces=1 Mesh.SurfaceEdges=1 Mesh.VolumeFaces=1 \
  Mesh.VolumeEdges=1 Mesh.ColorCarousel=2 'Mesh.Color.One={60, 110, 200}'

draw() {
  /usr/bin/python3 plugin/tools/render_design.py "$@" --size 900x630
}
draw output/clevis/clevis.pvd -o "$folder/design.png"
draw output/clevis/clevis-part.stl -o "$folder/part.png"
# the page that --validate has made, as a browser shows it
chromium --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --hide-scrollbars \
  --window-size=900,760 --screenshot="$folder/problem.png" "file://$PWD/output/clevis/clevis-problem.html" 2> /dev/null
