import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in Go, from the text, in several modules', () => {
  const files = {
    'service/go.mod': 'module example.com/service\n\ngo 1.22\n',
    'service/main.go': `package main

import renamed "example.com/service/util"

func byPackage() { renamed.Work(1) }
func byLiteral() { box := &renamed.Box{}; box.Grow() }
func Work() {}
func onOwnPackage() { Work() }
`,
    'service/util/util.go': `package util

type Box struct{ size int }

func (b *Box) Grow() int { return Work(b.size) }
func Work(size int) int { return size }
`,
    'library/go.mod': 'module example.org/library\n',
    'library/util/util.go': 'package util\n\nfunc Work(size int) int { return size }\n',
    'library/use.go': 'package library\n\nimport "example.org/library/util"\n\nfunc Use() { util.Work(2) }\n',
    'library/elsewhere.go': 'package library\n\nimport "elsewhere.org/util"\n\nfunc Elsewhere() { util.Work(3) }\n',
  }

  it('of a function come by the package under the name that the import gives it, and from within the package', async () => {
    expect(await writtenCallers(files, 'service/util/util.go', 'Work')).toEqual([
      'byPackage > Work @service/main.go:5',
      'Box.Grow > Work @service/util/util.go:5',
    ])
  })

  it('of a method come by a literal of its type', async () => {
    expect(await writtenCallers(files, 'service/util/util.go', 'Grow')).toEqual([
      'byLiteral > Box.Grow @service/main.go:6',
    ])
  })

  it('of a package of another module are those that import it from that module', async () => {
    expect(await writtenCallers(files, 'library/util/util.go', 'Work')).toEqual(['Use > Work @library/use.go:5'])
  })
})

describe('callers in Go, from the text, in one module', () => {
  const files = {
    'go.mod': 'module example.com/shop\n',
    'store/store.go': `package store

type Store struct{}

func New() *Store { return &Store{} }

func (s *Store) Load(id int) int {
	return get(id)
}

func get(id int) int { return id }
`,
    'cache/cache.go': `package cache

type Cache struct{}

func (c *Cache) Load(id int) int { return get(id) }

func get(id int) int { return id }
`,
    'main.go': `package main

import (
	"fmt"
	"example.com/shop/cache"
	renamed "example.com/shop/store"
)

type App struct {
	store *renamed.Store
	cache cache.Cache
}

func (a *App) byField() {
	a.store.Load(1)
	fmt.Println("x")
}

func (a *App) onCache() {
	a.cache.Load(2)
}

func byResult() {
	made := renamed.New()
	made.Load(3)
}
`,
  }

  it('of a method come by fields and by what a function gives', async () => {
    expect(await writtenCallers(files, 'store/store.go', 'Store.Load')).toEqual([
      'App.byField > Store.Load @main.go:15',
      'byResult > Store.Load @main.go:25',
    ])
  })

  it('of a method of the same name in another package stay apart', async () => {
    expect(await writtenCallers(files, 'cache/cache.go', 'Cache.Load')).toEqual([
      'App.onCache > Cache.Load @main.go:20',
    ])
  })

  it('of a function without a capital are in its own package', async () => {
    expect(await writtenCallers(files, 'store/store.go', 'get')).toEqual(['Store.Load > get @store/store.go:8'])
  })
})

describe('callers in Go, from the text, that do not name a function plainly', () => {
  const files = {
    'go.mod': 'module example.com/app\n',
    'util/util.go': `package util

type Runner interface{ Run(n int) int }
type Walker interface{ Run() }
type A struct{ x int }
type B struct{ A }
type C struct{}

func (a *A) Run(n int) int { return n + a.x }
func (C) Run(n int) int { return n }
func Make() *A { return &A{} }
func Work() int { return 1 }
func Gen[T any](t T) T { return t }
func Two[T any](t T, u T) T { return t }

var table = map[string]func() int{"w": Work}
var list = []func() int{Work}
`,
    'main.go': `package main

import u "example.com/app/util"

type Field struct{ Work func() int }

func Interface(r u.Runner) int { return r.Run(2) }
func Other(w u.Walker) { w.Run() }
func Embedded() int { b := u.B{}; return b.Run(3) }
func Concrete() int { var c u.C; return c.Run(1) }
func Value() func(int) int { return u.Make().Run }
func Generic() int { return u.Gen[int](3) }
func Inferred() int { return u.Gen(3) }
func GenericTwo() int { return u.Two[int](3, 4) }
func Argument() { take(u.Work) }
func Named() { f := u.Work; f() }
func Key() Field { return Field{Work: nil} }
func take(f func() int) {}
`,
  }

  it('are certain with type arguments', async () => {
    expect(await writtenCallers(files, 'util/util.go', 'Gen')).toEqual([
      'Generic > Gen @main.go:12',
      'Inferred > Gen @main.go:13',
    ])
    expect(await writtenCallers(files, 'util/util.go', 'Two')).toEqual(['GenericTwo > Two @main.go:14'])
  })

  it('are possible through an interface, and where a method is handed on', async () => {
    const { callers, possible } = await writtenAnswer(files, 'util/util.go', 'A.Run')
    expect(callers.map(({ chain }) => chain[0])).toEqual(['Embedded'])
    expect(possible).toEqual([
      { name: 'Interface', path: 'main.go', line: 7, why: 'through an interface that its type may satisfy' },
      { name: 'Value', path: 'main.go', line: 11, why: 'passed as a value' },
    ])
    expect(await writtenCallers(files, 'util/util.go', 'C.Run')).toEqual(['Concrete > C.Run @main.go:10'])
    expect(await possibleCallers(files, 'util/util.go', 'C.Run')).toEqual(['Interface @main.go:7'])
  })

  it('are possible where a function is handed on', async () => {
    expect(await writtenCallers(files, 'util/util.go', 'Work')).toEqual(['Named > Work @main.go:16'])
    expect(await possibleCallers(files, 'util/util.go', 'Work')).toEqual([
      'Argument @main.go:15',
      'Named @main.go:16',
      '<module> @util/util.go:16',
      '<module> @util/util.go:17',
    ])
  })
})

describe('a type that a Go function declares', () => {
  const files = {
    'a.go': `package p
type Base struct{ n int }
func (b *Base) Go() int { return 1 }
type Alien struct{}
func (Alien) Go() int { return 2 }
func a() {
	b := &Base{}
	b.Go()
	type Base struct{ Alien }
	var z Base
	z.Go()
	Base(z).Go()
}
func c(b Base) { b.Go() }
`,
  }

  it('begins at its declaration', async () => {
    expect(await writtenCallers(files, 'a.go', 'Base.Go')).toEqual(['a > Base.Go @a.go:8', 'c > Base.Go @a.go:14'])
    expect(await possibleCallers(files, 'a.go', 'Base.Go')).toEqual([])
    expect(await writtenCallers(files, 'a.go', 'Alien.Go')).toEqual(['a > Alien.Go @a.go:11', 'a > Alien.Go @a.go:12'])
  })
})
