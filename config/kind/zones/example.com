$ORIGIN example.com.
$TTL 60
@ SOA ns.laptop. hostmaster.laptop. 1 3600 600 86400 5
@ NS ns.laptop.
