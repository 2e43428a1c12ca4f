"""Reading and writing of files that problems share: text by lines, CSV tables, atomic writing."""
