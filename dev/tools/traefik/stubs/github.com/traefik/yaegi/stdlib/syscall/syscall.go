// Package syscall gives interpreted plugins nothing to import: there are no plugins here.
package syscall

import "reflect"

// Symbols by package and name.
var Symbols = map[string]map[string]reflect.Value{}
