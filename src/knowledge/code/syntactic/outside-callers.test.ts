import { describe, expect, it } from 'vitest'
import { writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

type Files = Readonly<Record<string, string>>

/** The one reason why there may be more callers; undefined if none is said. */
async function reason(files: Files, path: string, name: string): Promise<string | undefined> {
  const { unknown } = await writtenAnswer(files, path, name)
  expect(unknown.length).toBeLessThan(2)
  return unknown[0]
}

const JAVA = {
  'Cmp.java': `class Cmp implements Comparable<Cmp> {
  final int v = 1;
  public int compareTo(Cmp o) { return v - o.v; }
  int own() { return v; }
}
class Job implements Runnable { @Override public void run() { helper(); } private void helper() {} }
class View extends ext.Widget { protected void draw() {} static void open() {} }
class Odd { @Override public boolean frob(int a) { return true; } public void plain() {} }
abstract class Base { public int size() { return 1; } }
interface Drawable { void paint(); }
class Box implements Drawable { @Override public void paint() {} }
class Circle extends Base implements ext.Sized {}
`,
}

const KOTLIN = {
  'Job.kt': `class Job : Runnable {
    override fun run() {}
    fun own() {}
}
open class Screen : AppCompatActivity() { open fun title() = "" }
class Home : Screen() { override fun title() = "home"; override fun onStop() {} }
`,
}

const CSHARP = {
  'It.cs': `class It : IEnumerable<int> { public void Add(int x) {} public int Own() { return 1; } int Hidden() { return 2; } }
class Page : ext.Control { protected override void OnLoad() {} void Draw() {} }
partial class Part { public void Render() {} }
`,
  'Part.cs': 'partial class Part : ext.IView { }\n',
}

const PHP = {
  'R.php': `<?php
class R implements \\ArrayAccess, Countable {
  public function offsetGet($i) { return 1; }
  public function count() { return 1; }
  public function own() { return 2; }
}
class C extends \\Ext\\Controller { public function index() {} private function hidden() {} }
trait Named { public function label() {} }
class Tag implements \\Ext\\HasLabel { use Named; }
`,
}

const RUBY = {
  'col.rb': `class Col
  include Comparable
  def <=>(o); 0; end
  def own; 1; end
end
class Page < Ext::Controller
  def index; 1; end
end
class Plain
  def self.inherited(sub); end
  def run; 1; end
end
`,
}

const SWIFT = {
  'P.swift': `struct P: Codable { func own() {} }
extension P: CustomViewModel { func render() {} }
class VC: UIViewController {
  override func viewDidLoad() {}
  private func hidden() {}
}
struct Q { func free() {} }
`,
  'Q.swift': 'extension Q: Runner {}\n',
}

const RUST = {
  'src/lib.rs': `mod traits {
    pub trait Far { fn far(&self); }
}
struct X { n: i32 }
impl Iterator for X {
    type Item = i32;
    fn next(&mut self) -> Option<i32> { None }
    fn size_hint(&self) -> (usize, Option<usize>) { (0, None) }
}
impl ext::Hook<i32> for X { fn hook(&self) {} }
impl X { fn own(&self) -> i32 { 1 } }
impl crate::traits::Far for X { fn far(&self) {} }
`,
  'src/far.rs': `use super::traits::Far;
struct Y;
impl Far for Y { fn far(&self) {} }
`,
}

const CPP = {
  'view.h': 'class Panel : public ext::Widget { void show(); };\n',
  'view.cpp': `#include "view.h"
class View : public ext::Widget {
public:
  View() {}
  void draw() override {}
  void helper() {}
  static void open() {}
};
class Own { public: virtual int area() { return 0; } };
class Sq : public Own { public: int area() override { return 1; } };
class Sized : public ext::Sized, public Shape {};
class Shape { public: int size() { return 1; } };
class Err : public std::runtime_error { public: int code() { return 1; } };
struct Odd { void frob() override {} };
void Panel::show() {}
`,
}

describe('a method that a base outside of the workspace may call', () => {
  it.each([
    [JAVA, 'Cmp.java', 'Cmp.compareTo', 'Comparable'],
    [JAVA, 'Cmp.java', 'Job.run', 'Runnable'],
    [JAVA, 'Cmp.java', 'View.draw', 'Widget'],
    // A class that derives from it has the interface.
    [JAVA, 'Cmp.java', 'Base.size', 'Sized'],
    [KOTLIN, 'Job.kt', 'Job.run', 'Runnable'],
    [KOTLIN, 'Job.kt', 'Home.onStop', 'AppCompatActivity'],
    [CSHARP, 'It.cs', 'It.Add', 'IEnumerable'],
    [CSHARP, 'It.cs', 'Page.OnLoad', 'Control'],
    [CSHARP, 'It.cs', 'Part.Render', 'IView'],
    [PHP, 'R.php', 'R.count', 'Countable'],
    [PHP, 'R.php', 'C.index', 'Controller'],
    [PHP, 'R.php', 'Named.label', 'HasLabel'],
    [RUBY, 'col.rb', 'Page.index', 'Controller'],
    [SWIFT, 'P.swift', 'P.render', 'CustomViewModel'],
    [SWIFT, 'P.swift', 'VC.viewDidLoad', 'UIViewController'],
    [SWIFT, 'P.swift', 'Q.free', 'Runner'],
    [RUST, 'src/lib.rs', 'X.size_hint', 'Iterator'],
    [RUST, 'src/lib.rs', 'X.hook', 'Hook'],
    [CPP, 'view.cpp', 'View.draw', 'Widget'],
    [CPP, 'view.cpp', 'View.helper', 'Widget'],
    [CPP, 'view.cpp', 'Shape.size', 'Sized'],
    [CPP, 'view.cpp', 'Panel.show', 'Widget'],
    [CPP, 'view.h', 'Panel.show', 'Widget'],
  ] as [Files, string, string, string][])('says so: %#, %s %s', async (files, path, name, base) => {
    expect(await reason(files, path, name)).toMatch(
      new RegExp(`^\\S*${base}, which is declared outside of the workspace, may call ${name}$`),
    )
  })

  it.each([
    [JAVA, 'Cmp.java', 'Cmp.own'],
    [JAVA, 'Cmp.java', 'Job.helper'],
    [JAVA, 'Cmp.java', 'View.open'],
    [JAVA, 'Cmp.java', 'Odd.plain'],
    [JAVA, 'Cmp.java', 'Box.paint'],
    [KOTLIN, 'Job.kt', 'Job.own'],
    [KOTLIN, 'Job.kt', 'Home.title'],
    [CSHARP, 'It.cs', 'It.Own'],
    [CSHARP, 'It.cs', 'It.Hidden'],
    [CSHARP, 'It.cs', 'Page.Draw'],
    [PHP, 'R.php', 'R.own'],
    [PHP, 'R.php', 'C.hidden'],
    [RUBY, 'col.rb', 'Col.own'],
    [RUBY, 'col.rb', 'Plain.run'],
    [SWIFT, 'P.swift', 'VC.hidden'],
    [RUST, 'src/lib.rs', 'X.own'],
    [RUST, 'src/lib.rs', 'X.far'],
    [RUST, 'src/far.rs', 'Y.far'],
    [CPP, 'view.cpp', 'View.View'],
    [CPP, 'view.cpp', 'View.open'],
    [CPP, 'view.cpp', 'Own.area'],
    [CPP, 'view.cpp', 'Sq.area'],
    [CPP, 'view.cpp', 'Err.code'],
  ] as [Files, string, string][])(
    'is not one of another name or of no such base: %#, %s %s',
    async (files, path, name) => {
      expect(await reason(files, path, name)).toBeUndefined()
    },
  )

  it('is one that says that it overrides, though nothing in the workspace has it', async () => {
    expect(await reason(JAVA, 'Cmp.java', 'Odd.frob')).toBe(
      'What Odd.frob overrides is declared outside of the workspace, and may call it',
    )
    expect(await reason(CPP, 'view.cpp', 'Odd.frob')).toBe(
      'What Odd.frob overrides is declared outside of the workspace, and may call it',
    )
  })

  it.each([
    [PHP, 'R.php', 'R.offsetGet'],
    [RUBY, 'col.rb', 'Col.<=>'],
    [RUBY, 'col.rb', 'Plain.inherited'],
    [RUST, 'src/lib.rs', 'X.next'],
  ] as [Files, string, string][])('is called by the language itself: %#, %s %s', async (files, path, name) => {
    expect(await reason(files, path, name)).toMatch(/^The language calls /)
  })
})

describe('a method of Go that an interface outside of the workspace may ask for', () => {
  const files = {
    'a/a.go': `package a

import "sort"

type L []int
func (l L) Len() int { return len(l) }
func (l L) Less(i, j int) bool { return l[i] < l[j] }
func (l L) less(i, j int) bool { return l[i] < l[j] }
func (l L) Own() int { return 1 }
func run(l L) { sort.Sort(l) }
`,
    'b/b.go': `package b

import "github.com/ext/lib"

type H struct{}
func (H) Hook() int { return 1 }
func (H) hidden() int { return 1 }
func run() { lib.Register(H{}) }
`,
  }

  it('says so where the library has such an interface', async () => {
    for (const name of ['Len', 'Less'])
      expect(await reason(files, 'a/a.go', `L.${name}`)).toBe(
        `An interface of Go's library asks for ${name}: what gets its values may call L.${name}`,
      )
  })

  it('says so where its package uses code from elsewhere', async () => {
    expect(await reason(files, 'b/b.go', 'H.Hook')).toBe(
      'github.com/ext/lib, which is outside of the workspace, may call H.Hook through an interface or by its name',
    )
  })

  it('is none that is not exported, and none that only the library gets', async () => {
    for (const [path, name] of [
      ['a/a.go', 'L.less'],
      ['a/a.go', 'L.Own'],
      ['b/b.go', 'H.hidden'],
    ] as const)
      expect(await reason(files, path, name)).toBeUndefined()
  })
})

describe('setters of Ruby', () => {
  const files = {
    'col.rb': `class Col
  def name; @name; end
  def name=(v); @name = v; end
  def set; self.name = 1; end
end
def a; c = Col.new; c.name = 3; end
def b(q); q.name = 4; end
def d; c = Col.new; c.name += 5; end
def e; c = Col.new; c.name, x = 1, 2; end
def f; c = Col.new; c.name; end
`,
  }

  it('are called by assignments, and not the getter', async () => {
    expect(await writtenCallers(files, 'col.rb', 'Col.name=')).toEqual([
      'Col.set > Col.name= @col.rb:4',
      'a > Col.name= @col.rb:6',
      'd > Col.name= @col.rb:8',
      'e > Col.name= @col.rb:9',
    ])
    expect((await writtenAnswer(files, 'col.rb', 'Col.name=')).possible).toMatchObject([{ name: 'b', line: 7 }])
    expect(await writtenCallers(files, 'col.rb', 'Col.name')).toEqual([
      'd > Col.name @col.rb:8',
      'f > Col.name @col.rb:10',
    ])
  })
})
