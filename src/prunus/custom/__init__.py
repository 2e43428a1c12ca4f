"""Problems that users define: their functions compiled, translated, checked, and searched."""
