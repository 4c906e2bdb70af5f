import { describe, expect, it } from 'vitest'
import { writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

const CSHARP = {
  'One.cs': 'namespace N;\npartial class One {\n  public void Run() {}\n}\nclass Base { public void Up() {} }\n',
  'Two.cs': `namespace N;
partial class One : Base {
  void More() { Run(); }
}
class Use {
  void Calls(One one) { one.Run(); }
  void Above(One one) { one.Up(); }
}
`,
  'Other.cs': 'namespace M;\npartial class One {\n  void Run() {}\n  void Own() { Run(); }\n}\n',
}

const RUBY = {
  'one.rb': 'class One\n  def run; end\nend\n',
  'two.rb': 'class One\n  def more; run; end\nend\ndef use; One.new.more; end\n',
}

describe('callers over the parts of one class', () => {
  it.each([
    [CSHARP, 'One.cs', 'One.Run', ['One.More > One.Run @Two.cs:3', 'Use.Calls > One.Run @Two.cs:6']],
    [CSHARP, 'One.cs', 'Base.Up', ['Use.Above > Base.Up @Two.cs:7']],
    [CSHARP, 'Other.cs', 'One.Run', ['One.Own > One.Run @Other.cs:4']],
    [RUBY, 'one.rb', 'One.run', ['One.more > One.run @two.rb:2']],
  ] as [Readonly<Record<string, string>>, string, string, readonly string[]][])(
    'come from each of them: %#, %s %s',
    async (files, path, name, callers) => {
      expect(await writtenCallers(files, path, name)).toEqual(callers)
    },
  )
})

describe('callers of a constructor', () => {
  it('are other constructors of its class', async () => {
    const java = 'class Cart {\n  Cart(int size) {}\n  Cart() { this(1); }\n}\n'
    expect(await writtenCallers({ 'Cart.java': java }, 'Cart.java', 'Cart.Cart(int)')).toEqual([
      'Cart.Cart > Cart.Cart @Cart.java:3',
    ])
    const csharp = 'class Cart {\n  public Cart(int size) {}\n  public Cart() : this(1) {}\n}\n'
    expect(await writtenCallers({ 'Cart.cs': csharp }, 'Cart.cs', 'Cart.Cart(int)')).toEqual([
      'Cart.Cart > Cart.Cart @Cart.cs:3',
    ])
  })

  it('are `new()` of C# where the type is written', async () => {
    const text = `class Cart { public Cart(int size) {} }
class Use {
  Cart field = new(1);
  Cart Property { get; } = new(2);
  Cart Arrow() => new(3);
  Cart Returned() { Cart one = new(4); return new(5); }
  string Other() { return new('a', 2); }
}
`
    expect(await writtenCallers({ 'a.cs': text }, 'a.cs', 'Cart.Cart')).toEqual([
      'Use > Cart.Cart @a.cs:3',
      'Use > Cart.Cart @a.cs:4',
      'Use.Arrow > Cart.Cart @a.cs:5',
      'Use.Returned > Cart.Cart @a.cs:6',
    ])
  })

  it('are none of a method that only has the name of a constructor elsewhere', async () => {
    const text = 'class Use {\n  void init() {}\n  void initialize() {}\n  static Use make() { return new Use(); }\n}\n'
    for (const name of ['Use.init', 'Use.initialize'])
      expect(await writtenCallers({ 'Use.java': text }, 'Use.java', name)).toEqual([])
  })
})

describe('a call on a value of a type parameter', () => {
  it.each([
    ['a.java', 'class A { void run() {} }\nclass B { <T extends A> void use(T t) { t.run(); } }\n'],
    ['a.cs', 'class A { public void run() {} }\nclass B<T> where T : A { T inner; void use() { inner.run(); } }\n'],
    ['a.kt', 'class A { fun run() {} }\nfun <T : A> use(t: T) { t.run() }\n'],
    ['a.swift', 'class A { func run() {} }\nfunc use<T: A>(_ t: T) { t.run() }\n'],
  ])('may be one of a method that its bound has: %s', async (path, text) => {
    expect((await writtenAnswer({ [path]: text }, path, 'A.run')).possible).toMatchObject([{ line: 2 }])
  })
})

describe('a bare call in a Kotlin lambda that has a receiver', () => {
  const text = `class Page { fun title(text: String) {} }
fun page(build: Page.() -> Unit) {}
fun use() = page { title("a") }
fun other() { title("a", "b") }
`

  it('is one of a member, and may be one where no type tells, as far as it takes the arguments', async () => {
    expect(await writtenAnswer({ 'a.kt': text }, 'a.kt', 'Page.title')).toMatchObject({
      callers: [{ line: 3 }],
      possible: [],
    })
    const unknown = text.replace(/fun page.*\n/, '\n')
    expect((await writtenAnswer({ 'a.kt': unknown }, 'a.kt', 'Page.title')).possible).toMatchObject([
      { line: 3, why: 'same name, and what it is called on is not written' },
    ])
  })
})
