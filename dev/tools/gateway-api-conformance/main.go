// Command gateway-api-conformance runs upstream's conformance tests of Gateway API in a cluster, with images of a registry that is named.
//
// Upstream's tests are functions of a package, called by `go test`; here they are the one test of a program, which takes the flags of
// `go test` (-test.v, -test.timeout), those of upstream (-gateway-class, -supported-features, -run-test) and the two below. The cluster is
// the one of KUBECONFIG.
package main

import (
	"flag"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/gateway-api/conformance"
	"sigs.k8s.io/gateway-api/conformance/tests"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
)

var (
	image    = flag.String("image", "NAME", "image that takes the place of upstream's, which is NAME there")
	patience = flag.Duration("patience", 3*time.Minute, "how long anything may take that upstream waits for up to a minute")
)

func main() {
	testing.Main(
		func(pattern, name string) (bool, error) { return regexp.MatchString(pattern, name) },
		[]testing.InternalTest{{Name: "GatewayAPI", F: run}},
		nil,
		nil,
	)
}

func run(t *testing.T) {
	options := conformance.DefaultOptions(t)
	options.ManifestFS = []fs.FS{images{conformance.Manifests}}
	wait(&options)
	cluster, err := suite.NewConformanceTestSuite(options)
	if err != nil {
		t.Fatal(err)
	}
	asked := supported(options.SupportedFeatures)
	cluster.Setup(t, asked)
	if err := cluster.Run(t, asked); err != nil {
		t.Fatal(err)
	}
}

// supported are the tests whose every feature was asked for: others would be listed as skipped.
func supported(features suite.FeaturesSet) []suite.ConformanceTest {
	var asked []suite.ConformanceTest
	for _, test := range tests.ConformanceTests {
		if features.HasAll(test.Features...) {
			asked = append(asked, test)
		}
	}
	return asked
}

// wait raises what a small machine may not keep; how long a request may take, and an answer has to stay right, is left as it is.
func wait(options *suite.ConformanceOptions) {
	timeouts := &options.TimeoutConfig
	for _, one := range []*time.Duration{
		&timeouts.CreateTimeout,
		&timeouts.DeleteTimeout,
		&timeouts.GatewayMustHaveAddress,
		&timeouts.GatewayMustHaveCondition,
		&timeouts.GatewayStatusMustHaveListeners,
		&timeouts.GatewayListenersMustHaveConditions,
		&timeouts.ListenerSetMustHaveCondition,
		&timeouts.ListenerSetListenersMustHaveConditions,
		&timeouts.GWCMustBeAccepted,
		&timeouts.HTTPRouteMustNotHaveParents,
		&timeouts.HTTPRouteMustHaveCondition,
		&timeouts.RouteMustHaveParents,
		&timeouts.MaxTimeToConsistency,
		&timeouts.LatestObservedGenerationSet,
		&timeouts.DefaultTestTimeout,
	} {
		*one = max(*one, *patience)
	}
	timeouts.NamespacesMustBeReady = max(timeouts.NamespacesMustBeReady, 2**patience)
}

var upstreamImage = regexp.MustCompile(`\S+/(echo-basic|coredns):\S+`)

// images are upstream's manifests with images that are to be had.
type images struct{ fs.ReadFileFS }

func (manifests images) ReadFile(name string) ([]byte, error) {
	text, err := manifests.ReadFileFS.ReadFile(name)
	return upstreamImage.ReplaceAll(text, []byte(strings.ReplaceAll(*image, "NAME", "$1"))), err
}
