// How a client of the API waits (docs/rest-api.md, Backing off): Go 1.22, no dependency.
//
//	API_KEY=pd_… go run retry.go https://api.example.net/v1/account [COUNT]
package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	base         = time.Second
	longest      = time.Minute
	mostAttempts = 8
)

var client = &http.Client{Timeout: 30 * time.Second}

// callWithBackoff sends the request that build makes until it is not refused (429, 503) and is answered. It returns the
// last answer, or the last error where there never was one. The request is built anew each time, as a body is read once.
func callWithBackoff(build func() (*http.Request, error)) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		request, err := build()
		if err != nil {
			return nil, err
		}
		response, err := client.Do(request)
		isRefused := err != nil || response.StatusCode == http.StatusTooManyRequests ||
			response.StatusCode == http.StatusServiceUnavailable
		if !isRefused || attempt == mostAttempts {
			return response, err
		}
		var told time.Duration
		if err == nil {
			seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
			told = time.Duration(seconds) * time.Second
			response.Body.Close()
		}
		time.Sleep(told + rand.N(min(longest, base<<attempt)))
	}
}

func main() {
	count := 1
	if len(os.Args) > 2 {
		count, _ = strconv.Atoi(os.Args[2])
	}
	for range count {
		response, err := callWithBackoff(func() (*http.Request, error) {
			request, err := http.NewRequest(http.MethodGet, os.Args[1], nil)
			if err == nil {
				request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
			}
			return request, err
		})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		response.Body.Close()
		fmt.Println(response.StatusCode)
	}
}
