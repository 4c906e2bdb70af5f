import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in Rust, from the text, over several files', () => {
  const files = {
    'src/store.rs': `pub struct Store {}

impl Store {
    pub fn new() -> Store {
        Store {}
    }

    pub fn load(&self, id: i32) -> i32 {
        get(id)
    }
}

pub fn get(id: i32) -> i32 {
    id
}
`,
    'src/cache.rs': `pub struct Cache {}

impl Cache {
    pub fn load(&self, id: i32) -> i32 {
        id
    }
}
`,
    'src/main.rs': `use crate::cache::Cache;
use crate::store::{get as aliased, Store};

struct App {
    store: Store,
    cache: Cache,
}

impl App {
    fn by_field(&self) {
        self.store.load(1);
    }

    fn on_cache(&self) {
        self.cache.load(2);
    }

    fn by_alias(&self) {
        aliased(3);
    }
}

fn by_result() {
    let made = Store::new();
    made.load(4);
}
`,
  }

  it('of a method come by fields and results, not by a method of the same name in another type', async () => {
    expect(await writtenCallers(files, 'src/store.rs', 'load')).toEqual([
      'App.by_field > Store.load @src/main.rs:11',
      'by_result > Store.load @src/main.rs:25',
    ])
  })

  it('of a function come by its alias, and by its name in its own module', async () => {
    expect(await writtenCallers(files, 'src/store.rs', 'get')).toEqual([
      'App.by_alias > get @src/main.rs:19',
      'Store.load > get @src/store.rs:9',
    ])
  })
})

describe('callers in Rust, from the text, by a path from the module above', () => {
  const files = {
    'src/lib.rs': 'mod util;\nmod a;\npub fn helper() {}\n',
    'src/util.rs': 'pub struct Tool;\nimpl Tool { pub fn run(&self) {} }\n',
    'src/a/mod.rs': `use super::helper;
use super::util::Tool;
mod deep { use super::super::helper as far; fn by_alias() { far() } }
fn by_use(t: Tool) { helper(); t.run() }
fn by_path(t: super::util::Tool) { super::helper(); t.run() }
`,
  }

  it('are those by its name in another file', async () => {
    expect(await writtenCallers(files, 'src/lib.rs', 'helper')).toEqual([
      'by_alias > helper @src/a/mod.rs:3',
      'by_use > helper @src/a/mod.rs:4',
      'by_path > helper @src/a/mod.rs:5',
    ])
    expect(await writtenCallers(files, 'src/util.rs', 'Tool.run')).toEqual([
      'by_use > Tool.run @src/a/mod.rs:4',
      'by_path > Tool.run @src/a/mod.rs:5',
    ])
  })
})

describe('callers in Rust, from the text, of a module in the same file', () => {
  const files = {
    'src/lib.rs': `mod util {
    pub fn work(size: i32) -> i32 { size }
    pub struct Cart;
    impl Cart { pub fn total(&self) -> i32 { 1 } }
}
use util::work as aliased;
use self::util::Cart;
pub fn by_alias() -> i32 { aliased(1) }
pub fn in_assertion(cart: Cart) { assert_eq!(util::work(2), cart.total()); }
pub fn in_nested_macros() { println!("{}", vec![aliased(3), 4].len()); }
`,
    'src/shop.rs': `mod inner {
    pub fn help() {}
}
use inner::help;
pub fn by_use() { help() }
`,
  }

  it('come by an alias, and by calls inside of macros', async () => {
    expect(await writtenCallers(files, 'src/lib.rs', 'work')).toEqual([
      'by_alias > work @src/lib.rs:8',
      'in_assertion > work @src/lib.rs:9',
      'in_nested_macros > work @src/lib.rs:10',
    ])
  })

  it('of a method are found inside of macros too', async () => {
    expect(await writtenCallers(files, 'src/lib.rs', 'total')).toEqual(['in_assertion > Cart.total @src/lib.rs:9'])
  })

  it('come by a use without crate or self', async () => {
    expect(await writtenCallers(files, 'src/shop.rs', 'help')).toEqual(['by_use > help @src/shop.rs:5'])
  })
})
