module projectdomain.io/dev/tools/pause

go 1.26.0
