// Command cert-manager runs cert-manager's own controllers for ACME and self-signed issuers.
//
// Upstream's cmd/controller is a nested module that cannot be fetched by itself. Every controller it runs registers
// itself in the public package pkg/controller, so importing those and starting them is the same program with fewer
// flags. Two controllers are left out on purpose: the approver (our operator approves requests of its issuer) and
// the certificate-shim (nothing here asks for certificates by Ingress annotation).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/acmechallenges"
	"github.com/cert-manager/cert-manager/pkg/controller/acmeorders"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/acme"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/acme"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

const workers = 5

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the cluster; empty for the Pod this runs in")
	nameservers := flag.String("http01-nameservers", "", "comma-separated ADDR:PORT list for the HTTP-01 self-check")
	solverImage := flag.String("acme-http01-solver-image", "acmesolver", "image of the Pods that answer HTTP-01 challenges")
	flag.DurationVar(&acmeorders.RequeuePeriod, "order-requeue-period", acmeorders.RequeuePeriod,
		"how long an order rests between two looks at its authority")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options(*kubeconfig, *solverImage, strings.Split(*nameservers, ","))); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "cert-manager:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, options controller.ContextOptions) error {
	ctx = logf.NewContext(ctx, logf.Log, "controller")
	factory, err := controller.NewContextFactory(ctx, options)
	if err != nil {
		return err
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for name, construct := range controller.Known() {
		loop, err := construct(factory)
		if err != nil {
			return fmt.Errorf("starting %s: %w", name, err)
		}
		group.Go(func() error { return loop.Run(workers, ctx) })
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	return group.Wait()
}

// options holds upstream's defaults (internal/apis/config/controller/v1alpha1/defaults.go) for what the controllers
// above read, but for one: a failed self-check is repeated after a second instead of ten (--dns01-check-retry-period,
// which governs HTTP-01 too). Owner references on Secrets stay off, as the operator requires.
func options(kubeconfig, solverImage string, nameservers []string) controller.ContextOptions {
	return controller.ContextOptions{
		Kubeconfig:         kubeconfig,
		KubernetesAPIQPS:   20,
		KubernetesAPIBurst: 50,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: "cert-manager"},
		ACMEOptions: controller.ACMEOptions{
			HTTP01SolverImage:                 solverImage,
			HTTP01SolverResourceRequestCPU:    resource.MustParse("10m"),
			HTTP01SolverResourceRequestMemory: resource.MustParse("64Mi"),
			HTTP01SolverResourceLimitsCPU:     resource.MustParse("100m"),
			HTTP01SolverResourceLimitsMemory:  resource.MustParse("64Mi"),
			ACMEHTTP01SolverRunAsNonRoot:      true,
			HTTP01SolverNameservers:           nameservers,
			DNS01CheckAuthoritative:           true,
			DNS01Nameservers:                  nameservers,
			DNS01CheckRetryPeriod:             time.Second,
		},
		CertificateOptions: controller.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
		SchedulerOptions: controller.SchedulerOptions{MaxConcurrentChallenges: 60},
	}
}
