import sys
try: import requests
except ImportError: sys.exit()
s = requests.Session()
s.trust_env = False
s.get("BASE/ok", timeout=60)
try: print(s.get("BASE/PATH", timeout=1).status_code)
except Exception as e: print(type(e).__name__)
