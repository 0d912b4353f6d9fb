// Command acmesolver runs cert-manager's own HTTP-01 solver: the program in the Pods that answer challenges.
//
// Upstream's cmd/acmesolver is a nested module that cannot be fetched by itself; all it does is to read these flags and
// to call the public package below.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/pkg/issuer/acme/http/solver"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

const drain = 5 * time.Second

func main() {
	challenge := &solver.HTTP01Solver{}
	flag.IntVar(&challenge.ListenPort, "listen-port", 8089, "port to answer on")
	flag.StringVar(&challenge.Domain, "domain", "", "hostname of the challenge")
	flag.StringVar(&challenge.Token, "token", "", "token of the challenge")
	flag.StringVar(&challenge.Key, "key", "", "key authorization to answer")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		within, cancel := context.WithTimeout(context.Background(), drain)
		defer cancel()
		_ = challenge.Shutdown(within)
	}()
	if err := challenge.Listen(logf.Log); err != nil && ctx.Err() == nil {
		logf.Log.Error(err, "cannot answer the challenge")
		os.Exit(1)
	}
}
