"""What ``card.py`` is made of."""
