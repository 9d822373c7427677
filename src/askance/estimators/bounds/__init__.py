"""What a distribution known only up to intervals says: averages, and distances."""
