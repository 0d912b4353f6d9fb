// Package stdlib gives interpreted plugins nothing to import: there are no plugins here.
package stdlib

import "reflect"

// Symbols by package and name.
var Symbols = map[string]map[string]reflect.Value{}
