import { describe, expect, it } from 'vitest'
import { writtenAnswer } from '../../../../tests/code/written-callers.ts'

const TEXT = 'a text of its name, by which it may be looked up'
const VALUE = 'passed as a value'

const FILES = {
  'a.php': `<?php
namespace App;
function cmpit($a, $b) { return 0; }
function sorted($x) { usort($x, 'App\\cmpit'); }
function dynfn() { return 1; }
function stored() { $f = 'dynfn'; return $f; }
class Each {
  public function each($x) { return $x; }
  public function all() { return array_map([$this, 'each'], [1]); }
  public static function of() { return call_user_func('Each::made'); }
  public static function made() { return 1; }
  public function keyed() { return ['made' => 1]; }
}
`,
  'Events.cs': `using System;
class Events {
  event Action Changed;
  Action kept;
  void OnChanged() {}
  void OnKept() {}
  void OnGiven() {}
  void OnNamed() {}
  void Weird() {}
  void Wire() { Changed += OnChanged; kept = this.OnKept; Run(OnGiven); }
  string Name() { return nameof(OnNamed); }
  void Reflect() { typeof(Events).GetMethod("Weird").Invoke(this, null); }
  void Run(Action a) { Console.WriteLine("Wire"); }
}
`,
  'a.rb': `class Work
  attr_reader :read
  def weird; 1; end
  def mapped; 1; end
  def held; 1; end
  def read; 1; end
  private def hid; 1; end
  private :hid
  def go(xs); send(:weird); xs.map(&:mapped); method(:held).call; puts "held"; end
end
`,
  'a.go': `package a

import "reflect"

type e struct{}

func (e) Hidden() int { return 1 }
func (e) Shown() int  { return 1 }
func run() { reflect.ValueOf(e{}).MethodByName("Hidden").Call(nil); print("Shown") }
`,
  'Sq.java': `class Sq {
  void odd() {}
  void even() {}
  static void reflect() throws Exception { Sq.class.getMethod("odd").invoke(new Sq()); log("even"); }
  static void log(String a) {}
}
`,
}

describe('a function that is handed on', () => {
  it.each([
    ['a.php', 'cmpit', 'sorted', 4, TEXT],
    ['a.php', 'dynfn', 'stored', 6, TEXT],
    ['a.php', 'Each.each', 'Each.all', 9, TEXT],
    ['a.php', 'Each.made', 'Each.of', 10, TEXT],
    ['Events.cs', 'Events.OnChanged', 'Events.Wire', 10, VALUE],
    ['Events.cs', 'Events.OnKept', 'Events.Wire', 10, VALUE],
    ['Events.cs', 'Events.OnGiven', 'Events.Wire', 10, VALUE],
    ['Events.cs', 'Events.Weird', 'Events.Reflect', 12, TEXT],
    ['a.rb', 'Work.weird', 'Work.go', 9, TEXT],
    ['a.rb', 'Work.mapped', 'Work.go', 9, TEXT],
    ['a.rb', 'Work.held', 'Work.go', 9, TEXT],
    ['a.go', 'e.Hidden', 'run', 9, TEXT],
    ['Sq.java', 'Sq.odd', 'Sq.reflect', 4, TEXT],
  ] as const)('in %s as %s has a possible caller', async (path, asked, name, line, why) => {
    const { callers, possible } = await writtenAnswer(FILES, path, asked)
    expect([callers, possible]).toEqual([[], [{ name, path, line, why }]])
  })

  it.each([
    ['Ref.java', 'Ref.area', 'Ref.all', 5],
    ['Ref.java', 'Ref.own', 'Ref.all', 5],
    ['ref.php', 'plain', 'made', 6],
    ['ref.php', 'Ref.area', 'made', 6],
    ['ref.php', 'Ref.fixed', 'made', 6],
  ] as const)('as a reference in %s calls nothing: %s', async (path, asked, name, line) => {
    const files = {
      'Ref.java': `import java.util.*;
class Ref {
  static int area(Integer a) { return a; }
  void own() {}
  void all(List<Integer> xs) { xs.stream().map(Ref::area).toList(); Runnable r = this::own; }
  void called() { area(1); own(); }
}
`,
      'ref.php': `<?php
function plain($a) { return $a; }
class Ref {
  public function area($a) {}
  public static function fixed($a) {} }
function made(Ref $r) { return [plain(...), $r->area(...), Ref::fixed(...)]; }
function called(Ref $r) { plain(1); $r->area(2); Ref::fixed(3); }
`,
    }
    const { callers, possible } = await writtenAnswer(files, path, asked)
    const called = path === 'ref.php' ? 'called' : 'Ref.called'
    expect(callers).toMatchObject([{ name: called }])
    expect(possible).toEqual([{ name, path, line, why: VALUE }])
  })

  it.each([
    ['Events.cs', 'Events.OnNamed'],
    ['Events.cs', 'Events.Wire'],
    ['a.rb', 'Work.read'],
    ['a.rb', 'Work.hid'],
    ['Sq.java', 'Sq.even'],
    ['a.php', 'Each.keyed'],
  ])('is not one whose name is only printed, declared or a key: %s %s', async (path, asked) => {
    expect(await writtenAnswer(FILES, path, asked)).toMatchObject({ callers: [], possible: [], unknown: [] })
  })
})

describe('a lookup by a computed name', () => {
  const computed = {
    'a.php': `<?php
class R { public function odd() {} public function plain() { return 1; } }
class Other { public function even() {} }
function run($r, $m) { return $r->$m(); }
function named($r) { return $r->odd(); }
`,
    'use.php': '<?php\nfunction make($m) { $o = new Far(); return $o->$m(); }\n',
    'far.php': '<?php\nclass Far { public function away() {} }\nclass Near { public function away2() {} }\n',
    'closure.php': '<?php\nfunction own() {}\nfunction run2(callable $f) { $g = fn() => 1; $g(); return $f(); }\n',
    'a.rb': 'class Work\n  def weird; 1; end\n  def go(x); send(x); end\nend\n',
    'b.rb': 'class Calm\n  def still; 1; end\n  def go; send(:other); end\nend\n',
    'Sq.java': 'class Sq {\n  void odd() {}\n  void go(String n) { getClass().getMethod(n); }\n}\n',
    'Mem.cs': 'class Mem { void Odd() {} void Go(string n) { typeof(Mem).GetMethod(n); } }\n',
    'Sq.kt': 'package p\nclass Tri {\n    fun odd() {}\n    fun go(n: String) { javaClass.getMethod(n) }\n}\n',
    'a.go':
      'package a\n\nimport "reflect"\n\nfunc (t) Odd() {}\nfunc run(v reflect.Value, n string) { v.MethodByName(n) }\n',
  }

  it.each([
    ['a.php', 'R.odd', 'a.php:4'],
    // In another file, beside the class.
    ['far.php', 'Far.away', 'use.php:2'],
    ['a.rb', 'Work.weird', 'a.rb:3'],
    ['Sq.java', 'Sq.odd', 'Sq.java:3'],
    ['Mem.cs', 'Mem.Odd', 'Mem.cs:1'],
    ['Sq.kt', 'Tri.odd', 'Sq.kt:4'],
    ['a.go', 't.Odd', 'a.go:6'],
  ])('in %s may mean %s', async (path, name, place) => {
    const { unknown } = await writtenAnswer(computed, path, name)
    expect(unknown).toContain(`Functions are looked up by computed names, which may be its: ${place}`)
  })

  it.each([
    ['far.php', 'Near.away2'],
    ['closure.php', 'own'],
    ['b.rb', 'Calm.still'],
  ])('is none where it is far away, or no name is looked up: %s %s', async (path, name) => {
    expect((await writtenAnswer(computed, path, name)).unknown).toEqual([])
  })
})
