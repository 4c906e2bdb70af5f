import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

const CSHARP = {
  'Cart.cs': `class Cart {
  public int Stored { get; set; }
  public System.Action Handler;
  public int Sum => Stored + Helper();
  public int Both { get { return Sum; } set { Helper(); } }
  int Helper() { return 1; }
  void Writes() { Both = 1; }
  void Adds() { Both += 1; this.Both++; }
  void Keeps() { var x = Sum; Use(x); }
  void Use(int Sum) { var q = Sum; nameof(Sum); Handler(); }
  void Makes() { var c = new Cart { Both = 1 }; }
  public int this[int i] => Helper();
}
class Sub : Cart { int Own() { return Sum; } }
class Other {
  public int Sum { get; set; }
  int Reads(Cart c, Other o) { return o.Sum + c.Sum; }
  int Maybe(Cart c, dynamic d) { return c?.Sum ?? d.Sum; }
}
`,
}

const SWIFT = {
  'Cart.swift': `class Cart {
  var stored: Int = 0
  var handler: () -> Void = {}
  var sum: Int { return stored + helper() }
  var both: Int { get { sum } set { helper() } }
  var watched: Int = 0 { didSet { helper() } }
  func helper() -> Int { return 1 }
  func writes() { both = 1; watched = 2 }
  func reads() { print(watched) }
  func keeps() { let x = sum; use(x) }
  func use(_ sum: Int) { print(sum); handler() }
}
class Sub: Cart { func own() -> Int { return sum } }
extension Cart { var more: Int { sum } }
class Other {
  var sum = 1
  func both(c: Cart, o: Other) -> Int { return o.sum + c.more }
}
`,
}

const KOTLIN = {
  'Cart.kt': `class Cart(val stored: Int, val handler: () -> Unit) {
    val sum: Int get() = stored + helper()
    var half: Int = 0
        set(value) { helper() }
    fun helper() = 1
    fun writes() { half = 1 }
    fun reads() = half
    fun keeps() { val x = sum; use(x) }
    fun use(sum: Int) { print(sum); use(sum = 1); handler() }
}
val Cart.more: Int get() = sum
val top: Int get() = 1
class Sub : Cart() { fun own() = sum }
class Other(val sum: Int) {
    fun both(c: Cart, o: Other) = o.sum + c.more + top
    fun inside(c: Cart) = with(c) { sum }
}
`,
}

const JAVA = {
  'Point.java': `record Point(int x, int y) {
    public int y() { return y; }
    int sum() { return x + y(); }
}
class Use { int go(Point p) { return p.x() + p.y; } }
`,
}

describe('callers of accessors, from the text', () => {
  it.each([
    [CSHARP, 'Cart.Sum', ['Cart.Both:5', 'Cart.Keeps:9', 'Sub.Own:14', 'Other.Reads:17', 'Other.Maybe:18']],
    [CSHARP, 'Cart.Both', ['Cart.Writes:7', 'Cart.Adds:8', 'Cart.Makes:11']],
    [CSHARP, 'Cart.Helper', ['Cart.Sum:4', 'Cart.Both:5', 'Cart.this[]:12']],
    [SWIFT, 'Cart.sum', ['Cart.both:5', 'Cart.keeps:10', 'Sub.own:13', 'Cart.more:14']],
    [SWIFT, 'Cart.both', ['Cart.writes:8']],
    [SWIFT, 'Cart.watched', ['Cart.writes:8']],
    [SWIFT, 'Cart.helper', ['Cart.sum:4', 'Cart.both:5', 'Cart.watched:6']],
    [SWIFT, 'Cart.more', ['Other.both:17']],
    [KOTLIN, 'Cart.sum', ['Cart.keeps:8', 'more:11', 'Sub.own:13', 'Other.inside:16']],
    [KOTLIN, 'Cart.half', ['Cart.writes:6']],
    [KOTLIN, 'Cart.helper', ['Cart.sum:2', 'Cart.half:4']],
    [KOTLIN, 'more', ['Other.both:15']],
    [KOTLIN, 'top', ['Other.both:15']],
    [JAVA, 'Point.x', ['Use.go:5']],
    [JAVA, 'Point.y', ['Point.sum:3']],
  ] as [Readonly<Record<string, string>>, string, readonly string[]][])(
    'are what reads or assigns them, as they need it: %#, %s',
    async (files, name, callers) => {
      const [path = ''] = Object.keys(files)
      const plain = name.slice(name.indexOf('.') + 1)
      const whole = name === 'more' || name === 'top' ? plain : name
      expect(await writtenCallers(files, path, name)).toEqual(
        callers.map(each => each.replace(/:(\d+)$/, ` > ${whole} @${path}:$1`)),
      )
    },
  )

  it('may be what reads one on a value of unknown type', async () => {
    expect(await possibleCallers(CSHARP, 'Cart.cs', 'Cart.Sum')).toEqual(['Other.Maybe @Cart.cs:18'])
  })

  it('are none of a stored property but calls of what it holds', async () => {
    expect(await writtenAnswer(CSHARP, 'Cart.cs', 'Cart.Stored')).toMatchObject({ callers: [], partial: false })
    for (const [files, name, caller] of [
      [CSHARP, 'Cart.Handler', 'Cart.Use'],
      [SWIFT, 'Cart.handler', 'Cart.use'],
      [KOTLIN, 'Cart.handler', 'Cart.use'],
    ] as const) {
      const [path = ''] = Object.keys(files)
      expect((await writtenAnswer(files, path, name)).possible).toMatchObject([
        { name: caller, why: 'calls what it holds' },
      ])
    }
  })
})

describe('the import of a function', () => {
  it.each([
    [
      'Kotlin',
      'b/B.kt',
      'b.load',
      { 'b/B.kt': 'package b\nfun load() = 1', 'a/A.kt': 'package a\nimport b.load\nimport b.load as other' },
    ],
    ['Swift', 'B.swift', 'load', { 'B.swift': 'func load() {}', 'A.swift': 'import func B.load\nimport class B.load' }],
    [
      'C#',
      'B.cs',
      'B.Load',
      {
        'B.cs': 'static class B { public static int Load() => 1; }',
        'A.cs': 'using static B;\nusing Load = N.Load;\nnamespace N.Load;',
      },
    ],
    [
      'Java',
      'b/B.java',
      'B.load',
      {
        'b/B.java': 'package b;\npublic class B { public static int load() { return 1; } }',
        'a/A.java': 'package a;\nimport static b.B.load;',
      },
    ],
    [
      'Rust',
      'b.rs',
      'load',
      { 'b.rs': 'pub fn load() {}', 'main.rs': 'mod b;\nuse b::load;\npub use crate::b::load as other;' },
    ],
    ['Go', 'b/b.go', 'load', { 'b/b.go': 'package b\nfunc load() {}', 'a/a.go': 'package a\nimport load "b"' }],
    [
      'PHP',
      'b.php',
      'load',
      {
        'b.php': '<?php namespace B; function load() {}',
        'a.php': '<?php use function B\\load; use function B\\load as other;',
      },
    ],
    [
      'Python',
      'b.py',
      'load',
      { 'b.py': 'def load(): pass', 'a.py': 'from b import load\nfrom b import load as other' },
    ],
  ])('is no use of it, nor is the name of a package: %s', async (_, path, name, files) => {
    const plain = name.replace(/^b\./, '')
    expect(await writtenAnswer(files as Readonly<Record<string, string>>, path, plain)).toMatchObject({
      callers: [],
      possible: [],
    })
  })
})
