// Package unsafe gives interpreted plugins nothing to import: there are no plugins here.
package unsafe

import "reflect"

// Symbols by package and name.
var Symbols = map[string]map[string]reflect.Value{}
