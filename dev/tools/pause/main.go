// Command pause holds a Pod's namespaces: it waits to be told to stop and buries the Pod's orphans.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	orphans := make(chan os.Signal, 1)
	signal.Notify(orphans, syscall.SIGCHLD)
	for {
		select {
		case <-stop:
			return
		case <-orphans:
			for pid := 1; pid > 0; {
				pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			}
		}
	}
}
