package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/jmhodges/clock"
	"github.com/miekg/dns"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/letsencrypt/boulder/bdns"
)

// answer is what the resolver says of one name: its CAA records (their data in hexadecimal), an alias, or a failure.
type answer struct {
	CAA      []string `json:"caa"`
	Alias    string   `json:"alias"`
	NXDOMAIN bool     `json:"nxdomain"`
	SERVFAIL bool     `json:"servfail"`
}

// resolver is a recursive resolver that follows aliases, over DoH as Boulder asks.
type resolver struct {
	server *httptest.Server
	names  map[string]answer
}

func startResolver() *resolver {
	made := &resolver{}
	made.server = httptest.NewUnstartedServer(made)
	made.server.EnableHTTP2 = true
	made.server.StartTLS()
	return made
}

func (r *resolver) client() (bdns.Client, error) {
	roots := x509.NewCertPool()
	roots.AddCert(r.server.Certificate())
	servers, err := bdns.NewStaticProvider([]string{r.server.Listener.Addr().String()})
	if err != nil {
		return nil, err
	}
	trust := &tls.Config{RootCAs: roots}
	return bdns.New(10*time.Second, servers, prometheus.NewRegistry(), clock.New(), 1, "", silent{}, trust), nil
}

func (r *resolver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err == nil {
		body, err = r.respond(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/dns-message")
	_, _ = w.Write(body)
}

func (r *resolver) respond(query []byte) ([]byte, error) {
	var asked dns.Msg
	if err := asked.Unpack(query); err != nil {
		return nil, err
	}
	if len(asked.Question) != 1 {
		return nil, errors.New("not one question")
	}
	said := new(dns.Msg).SetReply(&asked)
	name := asked.Question[0].Name
	for range len(r.names) + 1 {
		known := r.names[strings.TrimSuffix(name, ".")]
		if known.Alias == "" {
			said.Rcode = rcodeOf(known)
			for _, data := range known.CAA {
				said.Answer = append(said.Answer, caa(name, data))
			}
			return said.Pack()
		}
		next := dns.Fqdn(known.Alias)
		said.Answer = append(said.Answer, &dns.CNAME{Hdr: header(name, dns.TypeCNAME), Target: next})
		name = next
	}
	said.Rcode, said.Answer = dns.RcodeServerFailure, nil
	return said.Pack()
}

func rcodeOf(known answer) int {
	switch {
	case known.SERVFAIL:
		return dns.RcodeServerFailure
	case known.NXDOMAIN:
		return dns.RcodeNameError
	default:
		return dns.RcodeSuccess
	}
}

// caa is a record whose data are these bytes, well formed or not.
func caa(name, data string) dns.RR {
	return &dns.RFC3597{Hdr: header(name, dns.TypeCAA), Rdata: data}
}

func header(name string, number uint16) dns.RR_Header {
	return dns.RR_Header{Name: name, Rrtype: number, Class: dns.ClassINET, Ttl: 60}
}
