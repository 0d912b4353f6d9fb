"""How a client of the API waits (docs/rest-api.md, Backing off): Python 3.9, no dependency.

    API_KEY=pd_… python3 retry.py https://api.example.net/v1/account [COUNT]
"""

import http.client
import os
import random
import sys
import time
import urllib.error
import urllib.request

BASE = 1.0  # seconds
CAP = 60.0
MOST_ATTEMPTS = 8


def call_with_backoff(request: urllib.request.Request, timeout: float = 30.0):
    """Sends the request until it is not refused (429, 503) and is answered.

    Returns the response; raises urllib.error.HTTPError for 4xx and 5xx, and OSError where there never was an answer.
    """
    for attempt in range(MOST_ATTEMPTS + 1):
        told = 0.0
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == MOST_ATTEMPTS:
                raise
            after = error.headers.get("Retry-After") or ""
            told = float(after) if after.isdecimal() else 0.0
            error.close()
        except (OSError, http.client.HTTPException):
            if attempt == MOST_ATTEMPTS:
                raise
        time.sleep(told + random.uniform(0, min(CAP, BASE * 2**attempt)))


if __name__ == "__main__":
    url, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for _ in range(count):
        key = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
        try:
            with call_with_backoff(urllib.request.Request(url, headers=key)) as response:
                print(response.status)
        except urllib.error.HTTPError as refused:
            print(refused.code)
