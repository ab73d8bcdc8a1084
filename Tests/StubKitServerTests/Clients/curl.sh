curl --noproxy '*' -s -m 1 -o /dev/null BASE/ok -o /dev/null BASE/PATH; echo exit code $?
