// Package ecs finds nothing: there is no Amazon here, and its SDK takes long to build and gigabytes to compile.
package ecs

import (
	"errors"

	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/safe"
)

// Provider cannot be configured.
type Provider struct{}

// Init refuses.
func (*Provider) Init() error { return errors.New("built without the ECS provider") }

// Provide provides nothing.
func (*Provider) Provide(chan<- dynamic.Message, *safe.Pool) error { return nil }
