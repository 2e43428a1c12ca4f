"""Fixing from the outside inwards, with a bound that counts the items left."""
