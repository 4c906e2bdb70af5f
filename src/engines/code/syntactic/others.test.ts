import { describe, expect, it } from 'vitest'
import { writtenCallers as callers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './callers.ts'

describe('callers from the text of other languages', () => {
  it('Python: modules, aliases, self, and what a parameter or a constructor says', async () => {
    const files = {
      'shop/price.py':
        'def price(item):\n    return 1\n\n\nclass Cart:\n    def total(self):\n        return price("x")\n\n    def show(self):\n        return self.total()\n',
      'shop/other.py':
        'def price(item):\n    return 2\n\n\nclass Order:\n    def total(self):\n        return price("y")\n',
      'app.py':
        'from shop.price import price as cost, Cart\nimport shop.price\nfrom shop.other import Order\n\n\ndef main(order: Order):\n    cost(1)\n    shop.price.price(2)\n    cart = Cart()\n    cart.total()\n    order.total()\n\n\nclass View:\n    def __init__(self, cart: Cart):\n        self.cart = cart\n\n    def draw(self):\n        self.cart.total()\n        total()\n',
    }
    expect(await callers(files, 'shop/price.py', 'price')).toEqual([
      'main > price @app.py:7',
      'main > price @app.py:8',
      'Cart.total > price @shop/price.py:7',
    ])
    expect(await callers(files, 'shop/price.py', 'Cart.total')).toEqual([
      'main > Cart.total @app.py:10',
      'View.draw > Cart.total @app.py:19',
      'Cart.show > Cart.total @shop/price.py:10',
    ])
    expect(await callers(files, 'shop/other.py', 'Order.total')).toEqual(['main > Order.total @app.py:11'])
  })

  it('where nothing says what a method is called on, a name of its own is enough and one that libraries have is not', async () => {
    const files = {
      'a.py':
        'class Writer:\n    def close(self):\n        pass\n\n    def close_quietly(self):\n        self.close()\n',
      'b.py': 'def run(f):\n    f.close()\n    f.close_quietly()\n',
    }
    expect(await callers(files, 'a.py', 'Writer.close_quietly')).toEqual(['run > Writer.close_quietly @b.py:3'])
    expect(await callers(files, 'a.py', 'Writer.close')).toEqual(['Writer.close_quietly > Writer.close @a.py:6'])
    const project = await writtenProject(files)
    expect(callersIn(project, 'a.py', 'Writer.close_quietly', 1).partial).toBe(false)
    expect(callersIn(project, 'a.py', 'Writer.close', 1).partial).toBe(true)
  })

  it('Go: packages by the module that they are in, wherever that stands', async () => {
    const files = {
      'svc/go.mod': 'module ex.com/m\n\ngo 1.22\n',
      'svc/main.go':
        'package main\n\nimport x "ex.com/m/util"\n\nfunc main() { x.Work(1); b := &x.Box{}; b.Inc() }\nfunc Work() {}\nfunc other() { Work() }\n',
      'svc/util/util.go':
        'package util\n\ntype Box struct{ n int }\n\nfunc (b *Box) Inc() int { return Work(b.n) }\nfunc Work(n int) int { return n }\n',
      'lib/go.mod': 'module other.org/lib\n',
      'lib/util/util.go': 'package util\n\nfunc Work(n int) int { return n }\n',
      'lib/use.go': 'package lib\n\nimport "other.org/lib/util"\n\nfunc Use() { util.Work(2) }\n',
      'lib/far.go': 'package lib\n\nimport "far.org/util"\n\nfunc Far() { util.Work(3) }\n',
    }
    expect(await callers(files, 'svc/util/util.go', 'Work')).toEqual([
      'main > Work @svc/main.go:5',
      'Box.Inc > Work @svc/util/util.go:5',
    ])
    expect(await callers(files, 'svc/util/util.go', 'Inc')).toEqual(['main > Box.Inc @svc/main.go:5'])
    expect(await callers(files, 'lib/util/util.go', 'Work')).toEqual(['Use > Work @lib/use.go:5'])
  })

  it('Go: packages by their folder, receivers, fields and results', async () => {
    const files = {
      'go.mod': 'module example.com/shop\n',
      'store/store.go':
        'package store\n\ntype Store struct{}\n\nfunc New() *Store { return &Store{} }\n\nfunc (s *Store) Load(id int) int {\n\treturn get(id)\n}\n\nfunc get(id int) int { return id }\n',
      'cache/cache.go':
        'package cache\n\ntype Cache struct{}\n\nfunc (c *Cache) Load(id int) int { return get(id) }\n\nfunc get(id int) int { return id }\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/cache"\n\tst "example.com/shop/store"\n)\n\ntype App struct {\n\tstore *st.Store\n\tcache cache.Cache\n}\n\nfunc (a *App) Run() {\n\ta.store.Load(1)\n\ta.cache.Load(2)\n\tfmt.Println("x")\n}\n\nfunc main() {\n\ts := st.New()\n\ts.Load(3)\n}\n',
    }
    expect(await callers(files, 'store/store.go', 'Store.Load')).toEqual([
      'App.Run > Store.Load @main.go:15',
      'main > Store.Load @main.go:22',
    ])
    expect(await callers(files, 'cache/cache.go', 'Cache.Load')).toEqual(['App.Run > Cache.Load @main.go:16'])
    expect(await callers(files, 'store/store.go', 'get')).toEqual(['Store.Load > get @store/store.go:8'])
  })

  it('Rust: methods of impl blocks, fields, and functions through use', async () => {
    const files = {
      'src/store.rs':
        'pub struct Store {}\n\nimpl Store {\n    pub fn new() -> Store {\n        Store {}\n    }\n\n    pub fn load(&self, id: i32) -> i32 {\n        get(id)\n    }\n}\n\npub fn get(id: i32) -> i32 {\n    id\n}\n',
      'src/cache.rs':
        'pub struct Cache {}\n\nimpl Cache {\n    pub fn load(&self, id: i32) -> i32 {\n        id\n    }\n}\n',
      'src/main.rs':
        'use crate::cache::Cache;\nuse crate::store::{get as fetch, Store};\n\nstruct App {\n    store: Store,\n    cache: Cache,\n}\n\nimpl App {\n    fn run(&self) {\n        self.store.load(1);\n        self.cache.load(2);\n        fetch(3);\n    }\n}\n\nfn main() {\n    let s = Store::new();\n    s.load(4);\n}\n',
    }
    expect(await callers(files, 'src/store.rs', 'load')).toEqual([
      'App.run > Store.load @src/main.rs:11',
      'main > Store.load @src/main.rs:19',
    ])
    expect(await callers(files, 'src/store.rs', 'get')).toEqual([
      'App.run > get @src/main.rs:13',
      'Store.load > get @src/store.rs:9',
    ])
  })

  it('C#: namespaces, fields, and overloads by what they take', async () => {
    const files = {
      'Data/Repo.cs':
        'namespace Shop.Data {\n  public class Repo {\n    public int Get(int id) { return id; }\n    public int Get(int id, bool force) { return Get(id); }\n  }\n}\n',
      'Old/Repo.cs': 'namespace Shop.Old {\n  public class Repo {\n    public int Get(int id) { return id; }\n  }\n}\n',
      'Ui/View.cs':
        'using System;\nusing Shop.Data;\n\nnamespace Shop.Ui {\n  public class View {\n    private readonly Repo repo = new Repo();\n    private Shop.Old.Repo old;\n\n    public void Show() {\n      repo.Get(1, true);\n      old.Get(2);\n      Console.Get(3);\n    }\n  }\n}\n',
    }
    expect(await callers(files, 'Data/Repo.cs', 'Repo.Get')).toEqual([
      'Repo.Get > Repo.Get @Data/Repo.cs:4',
      'View.Show > Repo.Get @Ui/View.cs:10',
    ])
    expect(await callers(files, 'Old/Repo.cs', 'Repo.Get')).toEqual(['View.Show > Repo.Get @Ui/View.cs:11'])
  })

  it('Rust: what modules of the same file hand out, and calls in what macros are handed', async () => {
    const files = {
      'src/lib.rs': `mod util {
    pub fn work(n: i32) -> i32 { n }
    pub struct Cart;
    impl Cart { pub fn total(&self) -> i32 { 1 } }
}
use util::work as w;
use self::util::Cart;
pub fn a() -> i32 { w(1) }
pub fn b(cart: Cart) { assert_eq!(util::work(2), cart.total()); }
pub fn c() { println!("{}", vec![w(3), 4].len()); }
`,
      'src/shop.rs': 'mod near {\n    pub fn help() {}\n}\nuse near::help;\npub fn d() { help() }\n',
    }
    expect(await callers(files, 'src/lib.rs', 'work')).toEqual([
      'a > work @src/lib.rs:8',
      'b > work @src/lib.rs:9',
      'c > work @src/lib.rs:10',
    ])
    expect(await callers(files, 'src/lib.rs', 'total')).toEqual(['b > Cart.total @src/lib.rs:9'])
    expect(await callers(files, 'src/shop.rs', 'help')).toEqual(['d > help @src/shop.rs:5'])
  })
})
