import { describe, expect, it } from 'vitest'
import { writtenAnswer } from '../../../../tests/code/written-callers.ts'

/** Programs with a `Cart` and an `Item` that both have `add`; a line says whose it calls, or that either may be. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'a.kt': `class Cart { fun add() {} }
class Item { fun add() {} }
data class Two(val one: Item, val two: Cart)
class Holder(val c: Cart) {
    fun plain() { c.add() } // Cart
    fun taken(p: Two) {
        val (c, d) = p
        c.add() // open
    }
    fun looped(all: List<Two>) {
        for ((c, d) in all) c.add() // open
    }
    fun lambda(all: List<Two>) {
        all.forEach { (c, d) -> c.add() } // open
    }
    fun chosen(o: Any) {
        when (val c = made(o)) {
            else -> c.add() // Item
        }
    }
    fun made(o: Any): Item { return Item() }
}
`,
  'a.swift': `class Cart { func add() {} }
class Item { func add() {} }
class Holder {
  var c = Cart()
  func plain() { c.add() } // Cart
  func taken() {
    let (c, d) = two()
    c.add() // open
  }
  func matched(o: Item?) {
    switch o {
    case .some(let c):
      c.add() // open
    default: break
    }
  }
  func looped() {
    while let c = next() {
      c.add() // Item
    }
  }
  func same() {
    if let c {
      c.add() // Cart
    }
  }
  func next() -> Item? { return nil }
}
`,
  'a.cs': `class Cart { public void Add() {} }
class Item { public void Add() {} }
class Holder {
  Cart c = new Cart();
  void Plain() { c?.Add(); } // Cart
  void Tested(object o) {
    if (o is Item c) c.Add(); // Item
  }
  void Switched(object o) {
    switch (o) { case Item c: c.Add(); break; } // Item
  }
  void Given(Table t) {
    t.Find(out var c);
    c.Add(); // open
  }
  void Taken() {
    var (c, d) = Two();
    c.Add(); // open
  }
  void Used() {
    using (var c = new Item()) c.Add(); // Item
  }
  void Looped() {
    for (var c = new Item(); ; ) c.Add(); // Item
  }
  void Lambda(Table t) {
    t.Each(c => c.Add()); // open
  }
  void Handed() {
    Run(delegate(Item c) { c.Add(); }); // Item
  }
}
`,
  'A.java': `class Cart { void add() {} }
class Item { void add() {} }
class Holder {
  Cart c = new Cart();
  void plain() { c.add(); } // Cart
  void chosen(Object o) {
    switch (o) { case Item c -> c.add(); default -> {} } // Item
  }
  void parts(Object o) {
    if (o instanceof Two(Item c, var d)) c.add(); // Item
  }
}
`,
  'a.go': `package a
type Cart struct{}
func (c Cart) Add() {}
type Item struct{}
func (i Item) Add() {}
func use(c Cart, w any, ch chan Item) {
	c.Add() // Cart
	switch c := w.(type) {
	case Item:
		c.Add() // Item
	case Item, Cart:
		c.Add() // open
	}
	func(c Item) {
		c.Add() // Item
	}(Item{})
	select {
	case c := <-ch:
		c.Add() // open
	}
	c.Add() // Cart
}
`,
  'a.rs': `struct Cart;
struct Item;
impl Cart { fn store(&self) {} }
impl Item { fn store(&self) {} }
fn plain(c: Cart, o: Option<Item>, r: Result<Item, ()>) {
    c.store(); // Cart
    if let Some(c) = o {
        c.store(); // open
    }
    match r {
        Ok(c) if ready(&c) => c.store(), // open
        _ => {}
    }
    let f = |c: Item| c.store(); // Item
    c.store(); // Cart
    let (c, d) = two();
    c.store(); // open
}
`,
  'a.php': `<?php
class Cart { function add() {} }
class Item { function add() {} }
function plain(array $l) {
  $c = new Cart;
  $c->add(); // Cart
  [$c, $d] = two();
  $c->add(); // open
}
function looped(array $l) {
  $c = new Cart;
  foreach ($l as [$c, $d]) {
    $c->add(); // open
  }
}
function branched($is) {
  $c = new Cart;
  if ($is) { $c = new Item; }
  $c->add(); // open
}
function later($is) {
  $c = null;
  if ($is) { $c = new Item; }
  $c->add(); // Item
}
`,
  'a.rb': `class Cart; def add; end; end
class Item; def add; end; end
def plain
  c = Cart.new
  c.add # Cart
  c, d = two
  c.add # open
end
def rescued
  c = Cart.new
  begin
  rescue => c
    c.add # open
  end
end
def looped(all)
  c = Cart.new
  for c in all
    c.add # open
  end
end
def lambdas
  c = Cart.new
  ->(c) { c.add } # open
end
def branched(is)
  c = Cart.new
  c = Item.new if is
  c.add # open
end
def given(c)
  c ||= Item.new
  c.add # open
end
`,
  'a.py': `class Cart:
    def add(self): pass
class Item:
    def add(self): pass
def matched(l):
    c = Cart()
    match l:
        case [c, *d]:
            c.add() # open
        case Other() as c:
            c.add() # open
def branched(l):
    c = Cart()
    if l:
        c = Item()
    c.add() # open
`,
  'a.cpp': `struct Item { void add() {} };
struct Cart { void add() {} };
struct Holder {
  Cart c;
  void plain() { c.add(); } // Cart
  void taken() {
    auto [c, d] = two();
    c.add(); // open
  }
  void tested() {
    if (Item* c = next()) c->add(); // Item
    c.add(); // Cart
  }
  void caught() {
    try {} catch (Item& c) { c.add(); } // Item
  }
};
`,
}

describe('a variable that hides another, or is given another value', () => {
  it.each(Object.entries(PROGRAMS))('has no type but its own: %s', async (path, text) => {
    const lines = text.split('\n')
    const wanted = (word: string) => lines.flatMap((line, at) => (line.endsWith(` ${word}`) ? at + 1 : []))
    const method = path === 'a.rs' ? 'store' : /\.(cs|go)$/.test(path) ? 'Add' : 'add'
    for (const type of ['Cart', 'Item']) {
      const { callers, possible } = await writtenAnswer({ [path]: text }, path, `${type}.${method}`)
      expect(callers.map(({ line }) => line)).toEqual(wanted(type))
      expect(possible.map(({ line }) => line)).toEqual(wanted('open'))
    }
  })
})
