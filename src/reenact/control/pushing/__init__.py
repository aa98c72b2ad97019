"""How hard a controller may be pushed: trials, the search for the greatest force, the certificate, single shoves."""
