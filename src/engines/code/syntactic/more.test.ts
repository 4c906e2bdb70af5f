import { describe, expect, it } from 'vitest'
import { writtenCallers as callers } from '../../../../tests/code/written-callers.ts'

describe('callers from the text of C, C++, PHP, Ruby and Swift', () => {
  it('C: headers, static look-alikes, pointers in structures, recursion and a cycle', async () => {
    const files = {
      'price.h': 'int price(int item);\nint old();\n#define PRICE_OF(x) price(x)\n',
      'price.c':
        '#include "price.h"\nint price(int item) {\n  return item > 9 ? price(item - 1) : item;\n}\nint old(a) int a; { return a; }\n',
      'use.c':
        '#include "price.h"\nstatic int run(void) { return price(1); }\nint use(void) { return run() + old(1); }\nint pong(int n);\nint ping(int n) { return pong(n) + price(n); }\nint pong(int n) { return ping(n); }\n',
      'other.c':
        'static int price(int item) { return item; }\nstruct ops { int (*price)(int); };\nstatic int run(void) { return price(2); }\nint other(struct ops *o) { return run() + o->price(3); }\n',
      'third.c': 'int third(void) { return run() + price(4); }\n',
    }
    const expected = [
      'price > price @price.c:3',
      'third > price @third.c:1',
      'run > price @use.c:2',
      'ping > price @use.c:5',
    ]
    expect(await callers(files, 'price.c', 'price')).toEqual(expected)
    expect(await callers(files, 'price.h', 'price')).toEqual(expected)
    expect(await callers(files, 'other.c', 'price')).toEqual(['run > price @other.c:3'])
    expect(await callers(files, 'use.c', 'run')).toEqual(['use > run @use.c:3'])
    expect(await callers(files, 'price.c', 'old')).toEqual(['use > old @use.c:3'])
    expect(await callers(files, 'use.c', 'pong', 3)).toEqual(['ping > pong @use.c:5', 'pong > ping > pong @use.c:6'])
  })

  it('C++: namespaces, definitions outside of their class, overloads, smart pointers, templates and lambdas', async () => {
    const files = {
      'repo.hpp':
        '#pragma once\n#include <memory>\nnamespace data {\nclass Repo {\n public:\n  explicit Repo(int n = 0);\n  int get(int id) const;\n  int get(int id, bool force) const { return get(id); }\n};\nint find(int x);\n}\n',
      'repo.cpp':
        '#include "repo.hpp"\nnamespace data {\nRepo::Repo(int n) {}\nint Repo::get(int id) const { return find(id); }\nint find(int x) { return x; }\n}\n',
      'old.cpp':
        'namespace old {\nclass Repo {\n public:\n  int get(int id) { return id; }\n};\nint find(int x) { return x; }\nint run() { Repo r; return r.get(1) + find(2); }\n}\n',
      'cart.cpp':
        '#include "repo.hpp"\nclass Base { public: void log() {} };\nclass Cart : public Base {\n  data::Repo repo_;\n  std::unique_ptr<data::Repo> held_;\n public:\n  int total() { log(); this->log(); return repo_.get(1) + held_->get(2, true); }\n  int each(const std::vector<data::Repo>& all) {\n    int sum = data::find(3);\n    for (const auto& one : all) sum += one.get(4);\n    auto fn = [](data::Repo r) { return r.get(5); };\n    auto made = new data::Repo(6);\n    return sum + made->get(7) + static_cast<data::Repo*>(nullptr)->get(8);\n  }\n};\n',
    }
    expect(await callers(files, 'repo.cpp', 'Repo.get')).toEqual([
      'Cart.total > Repo.get @cart.cpp:7',
      'Cart.each > Repo.get @cart.cpp:10',
      'Cart.each > Repo.get @cart.cpp:11',
      'Cart.each > Repo.get @cart.cpp:13',
      'Repo.get > Repo.get @repo.hpp:8',
    ])
    expect(await callers(files, 'repo.cpp', 'find')).toEqual([
      'Cart.each > find @cart.cpp:9',
      'Repo.get > find @repo.cpp:4',
    ])
    expect(await callers(files, 'old.cpp', 'Repo.get')).toEqual(['run > Repo.get @old.cpp:7'])
    expect(await callers(files, 'old.cpp', 'find')).toEqual(['run > find @old.cpp:7'])
    expect(await callers(files, 'cart.cpp', 'Base.log')).toEqual(['Cart.total > Base.log @cart.cpp:7'])
  })

  it('PHP: namespaces, aliases, properties, statics, parents and traits', async () => {
    const files = {
      'src/Data/Repo.php':
        '<?php\nnamespace App\\Data;\nclass Repo {\n  public static function make(): self { return new static(); }\n  public function get(int $id, bool $force = false) { return $this->load($id); }\n  private function load($id) { return helper($id); }\n}\nfunction helper($x) { return $x; }\n',
      'src/Old/Repo.php': '<?php\nnamespace App\\Old;\nclass Repo { public function get($id) { return $id; } }\n',
      'src/Cart.php':
        '<?php\nnamespace App;\nuse App\\Data\\{Repo, Item as Thing};\nuse App\\Old\\Repo as OldRepo;\nuse function App\\Data\\helper as h;\ntrait Logs { public function log($x) {} }\nclass Base { public function __construct() {} }\nclass Cart extends Base {\n  use Logs;\n  private ?OldRepo $old;\n  public function __construct(private Repo $repo) { parent::__construct(); $this->other = new Repo(); }\n  public function total(Repo $given) {\n    $this->log(1);\n    h(2);\n    $local = Repo::make();\n    return $this->repo->get(1) + $given->get(2, true) + $this->old->get(3) + $local?->get(4) + $this->other->get(5);\n  }\n  public function unknown($x) { return $x->get(6); }\n}\n',
    }
    expect(await callers(files, 'src/Data/Repo.php', 'Repo.get')).toEqual(['Cart.total > Repo.get @src/Cart.php:16'])
    expect(await callers(files, 'src/Old/Repo.php', 'Repo.get')).toEqual(['Cart.total > Repo.get @src/Cart.php:16'])
    expect(await callers(files, 'src/Data/Repo.php', 'helper')).toEqual([
      'Cart.total > helper @src/Cart.php:14',
      'Repo.load > helper @src/Data/Repo.php:6',
    ])
    expect(await callers(files, 'src/Data/Repo.php', 'Repo.make')).toEqual(['Cart.total > Repo.make @src/Cart.php:15'])
    expect(await callers(files, 'src/Cart.php', 'Logs.log')).toEqual(['Cart.total > Logs.log @src/Cart.php:13'])
    expect(await callers(files, 'src/Cart.php', 'Base.__construct')).toEqual([
      'Cart.__construct > Base.__construct @src/Cart.php:11',
    ])
  })

  it('Ruby: modules, calls without brackets, instance variables, class methods and mixins', async () => {
    const files = {
      'lib/repo.rb':
        'module Data\n  class Repo\n    def self.make(x)\n      new(x)\n    end\n\n    def initialize(x)\n      @x = x\n    end\n\n    def get(id)\n      load_it id\n    end\n\n    def load_it(id)\n      id\n    end\n  end\nend\n',
      'lib/old.rb': 'module Old\n  class Repo\n    def get(id)\n      id\n    end\n  end\nend\n',
      'lib/cart.rb':
        "require_relative 'repo'\n\nmodule Logs\n  def log(x); end\nend\n\nclass Cart\n  include Logs\n\n  def initialize\n    @repo = Data::Repo.new(1)\n    @old = Old::Repo.new\n  end\n\n  def total\n    log 1\n    helper\n    made = Data::Repo.make(2)\n    made.get(3)\n    @repo.get 4\n    @old.get(5)\n    helper = 6\n  end\n\n  def helper\n    self.total\n  end\nend\n",
    }
    expect(await callers(files, 'lib/repo.rb', 'Repo.get')).toEqual([
      'Cart.total > Repo.get @lib/cart.rb:19',
      'Cart.total > Repo.get @lib/cart.rb:20',
    ])
    expect(await callers(files, 'lib/old.rb', 'Repo.get')).toEqual(['Cart.total > Repo.get @lib/cart.rb:21'])
    expect(await callers(files, 'lib/repo.rb', 'Repo.load_it')).toEqual(['Repo.get > Repo.load_it @lib/repo.rb:12'])
    expect(await callers(files, 'lib/repo.rb', 'Repo.initialize')).toEqual([
      'Cart.initialize > Repo.initialize @lib/cart.rb:11',
      'Repo.make > Repo.initialize @lib/repo.rb:4',
    ])
    expect(await callers(files, 'lib/cart.rb', 'log')).toEqual(['Cart.total > log @lib/cart.rb:16'])
    expect(await callers(files, 'lib/cart.rb', 'Cart.helper')).toEqual(['Cart.total > Cart.helper @lib/cart.rb:17'])
    expect(await callers(files, 'lib/cart.rb', 'Cart.total')).toEqual(['Cart.helper > Cart.total @lib/cart.rb:26'])
  })

  it('Swift: extensions, initializers, optionals, closures, labels and private look-alikes', async () => {
    const files = {
      'Repo.swift':
        'class Repo {\n  init(_ n: Int = 0) {}\n  func get(_ id: Int, force: Bool = false) -> Int { return load(id) }\n  private func load(_ id: Int) -> Int { return helper(id) }\n}\nextension Repo {\n  func twice(_ id: Int) -> Int { return get(id) }\n}\nprivate func helper(_ x: Int) -> Int { return x }\n',
      'Old.swift':
        'struct OldRepo {\n  func get(_ id: Int) -> Int { return helper(id) }\n}\nprivate func helper(_ x: Int) -> Int { return x }\n',
      'Cart.swift':
        'import Foundation\nclass Cart: Base {\n  let repo: Repo\n  var all: [Repo] = []\n  var last: Repo?\n  let old = OldRepo()\n  init(repo: Repo) { self.repo = repo }\n  func total() -> Int {\n    repo.get(1)\n    self.old.get(2)\n    for one in all { one.get(3) }\n    if let it = last { it.get(4, force: true) }\n    all.forEach { $0.get(5) }\n    all.forEach { other in other.twice(6) }\n    let made = Repo(7)\n    return made.get(8) + helper(9)\n  }\n}\n',
    }
    expect(await callers(files, 'Repo.swift', 'Repo.get')).toEqual([
      'Cart.total > Repo.get @Cart.swift:9',
      'Cart.total > Repo.get @Cart.swift:11',
      'Cart.total > Repo.get @Cart.swift:12',
      'Cart.total > Repo.get @Cart.swift:13',
      'Cart.total > Repo.get @Cart.swift:16',
      'Repo.twice > Repo.get @Repo.swift:7',
    ])
    expect(await callers(files, 'Repo.swift', 'twice')).toEqual(['Cart.total > Repo.twice @Cart.swift:14'])
    expect(await callers(files, 'Old.swift', 'OldRepo.get')).toEqual(['Cart.total > OldRepo.get @Cart.swift:10'])
    expect(await callers(files, 'Repo.swift', 'helper')).toEqual(['Repo.load > helper @Repo.swift:4'])
    expect(await callers(files, 'Repo.swift', 'Repo.init')).toEqual(['Cart.total > Repo.init @Cart.swift:15'])
  })
})
