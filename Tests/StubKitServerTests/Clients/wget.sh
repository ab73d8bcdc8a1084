wget --no-proxy --tries=1 --timeout=1 -q -O /dev/null BASE/ok BASE/PATH; echo exit code $?
