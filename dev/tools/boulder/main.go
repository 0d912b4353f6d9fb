// Command boulder-caa answers whether Boulder, the software of Let's Encrypt, would issue by the CAA records given.
//
// It reads one JSON object a line and prints one a line. Boulder's own validation authority decides (package va), and
// Boulder's own DNS client asks (package bdns): the records reach it over DoH, from a server in this process.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/jmhodges/clock"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/letsencrypt/boulder/bdns"
	corepb "github.com/letsencrypt/boulder/core/proto"
	blog "github.com/letsencrypt/boulder/log"
	"github.com/letsencrypt/boulder/va"
	vapb "github.com/letsencrypt/boulder/va/proto"
)

// question is one line of input. A name without an entry in Names has no CAA records.
type question struct {
	Hostname      string            `json:"hostname"`
	Names         map[string]answer `json:"names"`
	Issuer        string            `json:"issuer"`
	AccountPrefix string            `json:"accountPrefix"`
	AccountID     int64             `json:"accountId"`
	Method        string            `json:"method"`
}

// verdict is one line of output: yes, no, or unknown when Boulder could not look the records up.
type verdict struct {
	Verdict string `json:"verdict"`
	Detail  string `json:"detail,omitempty"`
}

// silent drops what Boulder logs of each check; of its other methods none is called.
type silent struct{ blog.Logger }

func (silent) AuditInfo(string, any) {}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	resolver := startResolver()
	defer resolver.server.Close()
	client, err := resolver.client()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		resolver.names = asked.Names
		given, err := decide(client, asked)
		if err != nil {
			return fmt.Errorf("%s: %w", lines.Text(), err)
		}
		if err := out.Encode(given); err != nil {
			return err
		}
	}
	return lines.Err()
}

func decide(client bdns.Client, asked question) (verdict, error) {
	authority, err := va.NewValidationAuthorityImpl(
		client, nil, "", asked.Issuer, prometheus.NewRegistry(), clock.New(), silent{},
		[]string{asked.AccountPrefix}, "", "", nil, time.Second, true, nil, 0, 0,
	)
	if err != nil {
		return verdict{}, err
	}
	result, err := authority.DoCAA(context.Background(), &vapb.IsCAAValidRequest{
		AuthzID:          1,
		Identifier:       &corepb.Identifier{Type: "dns", Value: asked.Hostname},
		ValidationMethod: asked.Method,
		AccountURIID:     asked.AccountID,
	})
	if err != nil {
		return verdict{}, err
	}
	return verdictOf(result.Problem)
}

func verdictOf(problem *corepb.ProblemDetails) (verdict, error) {
	switch {
	case problem == nil:
		return verdict{Verdict: "yes"}, nil
	case problem.ProblemType == "caa":
		return verdict{Verdict: "no", Detail: problem.Detail}, nil
	case problem.ProblemType == "dns":
		return verdict{Verdict: "unknown", Detail: problem.Detail}, nil
	default:
		return verdict{}, fmt.Errorf("a problem of the type %q: %s", problem.ProblemType, problem.Detail)
	}
}
