import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './syntactic-callers.ts'

type Files = Readonly<Record<string, string>>

const lineOf = (caller: string): string => caller.slice(caller.lastIndexOf('@') + 1)

/** The lines with certain and with possible calls of one overload. */
async function answered(files: Files, path: string, name: string) {
  const [certain, possible] = [await writtenCallers(files, path, name), await possibleCallers(files, path, name)]
  return { certain: certain.map(lineOf), possible: possible.map(lineOf) }
}

/** The lines that end with `// calls NAME`, and those that end with `// may call NAME`, `// may call NAME and NAME`. */
function expected(files: Files, name: string) {
  const lines = Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').map((line, index) => ({ at: `${path}:${index + 1}`, line })),
  )
  const saying = (says: (line: string) => boolean) => lines.flatMap(({ at, line }) => (says(line) ? at : []))
  return {
    certain: saying(line => line.endsWith(`// calls ${name}`)),
    possible: saying(line => (/\/\/ may call (.*)$/.exec(line)?.[1] ?? '').split(' and ').includes(name)),
  }
}

const KOTLIN = {
  'Animals.kt': `package shop

open class Animal
class Dog : Animal()
class Cat(val name: String) : Animal()
typealias Label = String
`,
  'Other.kt': `package shop

fun print(text: String) {}
`,
  'Shop.kt': `package shop

class Shop {
    fun show(id: Int) {}
    fun show(name: String) {}
    fun feed(animal: Animal) {}
    fun feed(dog: Dog) {}
    fun take(count: Long) {}
    fun take(name: Label) {}
    fun give(name: String, count: Int) {}
    fun give(count: Int, name: String) {}
}
fun print(id: Int) {}

fun literals(shop: Shop) {
    shop.show(1) // calls Shop.show(Int)
    shop.show("a") // calls Shop.show(String)
    shop.show(-3) // calls Shop.show(Int)
    shop.show((1)) // calls Shop.show(Int)
    shop.show(-1 + 2.0) // may call Shop.show(Int) and Shop.show(String)
    shop.show(1 + 2) // may call Shop.show(Int) and Shop.show(String)
    shop.take(2) // may call Shop.take(Long) and Shop.take(Label)
    shop.take("a") // calls Shop.take(Label)
    print(1) // calls print(Int)
    print("a") // calls print(String)
    print(unknown()) // may call print(Int) and print(String)
}
fun declared(shop: Shop, id: Int, name: String, label: Label, cat: Cat, other: Other) {
    shop.show(id) // calls Shop.show(Int)
    shop.show(name) // calls Shop.show(String)
    shop.show(label) // may call Shop.show(Int) and Shop.show(String)
    shop.show(cat.name) // calls Shop.show(String)
    shop.show(given()) // calls Shop.show(Int)
    shop.show(other) // may call Shop.show(Int) and Shop.show(String)
    shop.show(other.id) // may call Shop.show(Int) and Shop.show(String)
    val text = "a"
    shop.show(text) // calls Shop.show(String)
    val sum = 1 + 2.0
    shop.show(sum) // may call Shop.show(Int) and Shop.show(String)
}
fun given(): Int = 1
fun checked(shop: Shop, animal: Animal, dog: Dog, cat: Cat?) {
    if (animal is Dog) shop.feed(animal) // may call Shop.feed(Animal) and Shop.feed(Dog)
    shop.feed(dog) // calls Shop.feed(Dog)
    shop.feed(Dog()) // calls Shop.feed(Dog)
    shop.feed(Cat("a")) // calls Shop.feed(Animal)
    val either = cat ?: dog
    shop.feed(either) // may call Shop.feed(Animal) and Shop.feed(Dog)
}
fun named(shop: Shop) {
    shop.give("a", 1) // calls Shop.give(String, Int)
    shop.give(name = "a", count = 1) // may call Shop.give(String, Int) and Shop.give(Int, String)
    shop.show(name = unknown()) // calls Shop.show(String)
}
fun <T> generic(shop: Shop, item: T) {
    shop.show(item) // may call Shop.show(Int) and Shop.show(String)
}
fun several(shop: Shop, vararg ids: Int) {
    shop.show(ids) // may call Shop.show(Int) and Shop.show(String)
}
`,
}

describe('DA-13: callers of one of several overloads in Kotlin, from the text', () => {
  it.each([
    ['Shop.kt', 'Shop.show(Int)'],
    ['Shop.kt', 'Shop.show(String)'],
    ['Shop.kt', 'Shop.take(Long)'],
    ['Shop.kt', 'Shop.take(Label)'],
    ['Shop.kt', 'Shop.feed(Animal)'],
    ['Shop.kt', 'Shop.feed(Dog)'],
    ['Shop.kt', 'Shop.give(String, Int)'],
    ['Shop.kt', 'Shop.give(Int, String)'],
    ['Shop.kt', 'print(Int)'],
    ['Other.kt', 'print(String)'],
  ])('%s: %s', async (path, name) => {
    expect(await answered(KOTLIN, path, name)).toEqual(expected(KOTLIN, name))
  })

  it('are those of all where the name says no types', async () => {
    const { certain, possible } = await answered(KOTLIN, 'Shop.kt', 'Shop.show')
    expect(certain).toEqual(
      ['Int', 'String']
        .flatMap(type => expected(KOTLIN, `Shop.show(${type})`).certain)
        .concat(expected(KOTLIN, 'Shop.show(Int)').possible)
        .toSorted(),
    )
    expect(possible).toEqual([])
  })

  it('cannot be asked for by types that none has: the error says which there are', async () => {
    const project = await writtenProject(KOTLIN)
    expect(() => callersIn(project, 'Shop.kt', 'Shop.show(Double)', 1)).toThrow(
      expect.objectContaining({ code: 'no_match', hint: expect.stringContaining('Shop.show(Int), Shop.show(String)') }),
    )
  })
})

const NESTED = {
  'Nested.kt': `package nested

fun log(text: String) {}
fun send(any: String) {}
fun end() {}
fun twice(count: Int) {}

class Screen {
    fun log(code: Int) {}
    fun send(any: Any) {}
    fun end() {}
    fun twice(count: Int) {}

    fun use(other: Other) {
        log(1) // calls Screen.log(Int)
        log("a") // calls nested.log(String)
        log(other) // may call Screen.log(Int) and nested.log(String)
        send("a") // calls Screen.send(Any)
        end() // calls Screen.end()
        twice(other) // calls Screen.twice(Int)
        this.log(other) // calls Screen.log(Int)
    }
}

fun outside(other: Other) {
    log(other) // calls nested.log(String)
    end() // calls nested.end()
}
`,
}

describe('DA-13: callers of a member in Kotlin that a function outside of its class may stand in for', () => {
  it.each(['Screen.log(Int)', 'Screen.send(Any)', 'Screen.end()', 'Screen.twice(Int)'])('%s', async name => {
    expect(await answered(NESTED, 'Nested.kt', name)).toEqual(expected(NESTED, name))
  })

  it.each(['log(String)', 'end()', 'send(String)', 'twice(Int)'])('%s', async name => {
    expect(await answered(NESTED, 'Nested.kt', name)).toEqual(expected(NESTED, `nested.${name}`))
  })
})

const JAVA = {
  'Base.java': `class Base {
  void load(int id) {}
  void load(Object any) {}
  Base(int size) {}
  Base(String name) {}
}
`,
  'Derived.java': `class Derived extends Base {
  Derived() { super("a"); }
  void load(String name) {}
  void wide(long id) {}
  void wide(Integer id) {}
  void read(String names[]) {}
  void read(String name) {}
  static void use(Derived derived, Object any, String name, String[] names, Base base) {
    derived.load(1); // calls Base.load(int)
    derived.load("a"); // calls Derived.load(String)
    derived.load(name); // calls Derived.load(String)
    derived.load(any); // calls Base.load(Object)
    derived.load(unknown()); // may call Base.load(int) and Base.load(Object) and Derived.load(String)
    derived.load(base); // calls Base.load(Object)
    derived.load((Object) name); // calls Base.load(Object)
    derived.wide(1); // may call Derived.wide(long) and Derived.wide(Integer)
    derived.read(name); // may call Derived.read(String)
    new Base(1); // calls Base.Base(int)
    new Base("a"); // calls Base.Base(String)
    new Base(unknown()); // may call Base.Base(int) and Base.Base(String)
  }
}
`,
}

describe('DA-13: callers of one of several overloads in Java, from the text', () => {
  it.each([
    ['Base.java', 'Base.load(int)'],
    ['Base.java', 'Base.load(Object)'],
    ['Derived.java', 'Derived.load(String)'],
    ['Derived.java', 'Derived.wide(long)'],
    ['Derived.java', 'Derived.wide(Integer)'],
    ['Base.java', 'Base.Base(int)'],
  ])('%s: %s', async (path, name) => {
    expect(await answered(JAVA, path, name)).toEqual(expected(JAVA, name))
  })
})

const CSHARP = {
  'Shop.cs': `namespace Shop {
  public class Base { public void Show(object any) {} }
  public class Shop : Base {
    public void Show(int id) {}
    public void Show(string name) {}
    public void Give(string name, int count) {}
    public void Give(int count, string name) {}
    public void Use(int id, string name, dynamic any, Shop shop) {
      Show(1); // calls Shop.Show(int)
      Show("a"); // calls Shop.Show(string)
      Show($"a"); // calls Shop.Show(string)
      shop.Show(id); // calls Shop.Show(int)
      shop.Show(name); // calls Shop.Show(string)
      shop.Show(any); // may call Shop.Show(int) and Shop.Show(string) and Base.Show(object)
      shop.Show(name: Unknown()); // calls Shop.Show(string)
      var text = "a";
      shop.Show(text); // calls Shop.Show(string)
      shop.Give("a", 1); // calls Shop.Give(string, int)
    }
  }
}
`,
}

describe('DA-13: callers of one of several overloads in C#, from the text', () => {
  it.each([
    'Shop.Show(int)',
    'Shop.Show(string)',
    'Base.Show(object)',
    'Shop.Give(string, int)',
    'Shop.Give(int, string)',
  ])('%s', async name => {
    expect(await answered(CSHARP, 'Shop.cs', name)).toEqual(expected(CSHARP, name))
  })
})

const CPP = {
  'shop.hpp': `#include <string>
class Shop {
 public:
  void show(int id);
  void show(const std::string& name);
  void log(bool on);
  void log(const std::string& name);
  void put(const char* name);
  void put(void* at);
  void pay(Money money);
  void pay(const QString& name);
};
class Money { public: Money(int cents); };
void print(int id);
void print(const std::string& name);
`,
  'shop.cpp': `#include "shop.hpp"
void Shop::show(int id) {}
void Shop::show(const std::string& name) {}
void print(int id) {}
void print(const std::string& name) {}
void use(Shop shop, int id, std::string name) {
  shop.show(1); // calls Shop.show(int)
  shop.show("a"); // calls Shop.show(std::string)
  shop.show(id); // may call Shop.show(int) and Shop.show(std::string)
  shop.log("a"); // may call Shop.log(bool) and Shop.log(std::string)
  shop.log(true); // calls Shop.log(bool)
  shop.put("a"); // may call Shop.put(const char*) and Shop.put(void*)
  shop.pay(1); // may call Shop.pay(Money) and Shop.pay(QString)
  print(1); // calls print(int)
  print("a"); // calls print(std::string)
  print(name); // may call print(int) and print(std::string)
}
`,
}

describe('DA-13: callers of one of several overloads in C++, from the text', () => {
  it.each([
    ['shop.hpp', 'Shop.show(int)'],
    ['shop.cpp', 'Shop.show(std::string)'],
    ['shop.hpp', 'Shop.log(bool)'],
    ['shop.hpp', 'Shop.log(std::string)'],
    ['shop.hpp', 'Shop.put(void*)'],
    ['shop.hpp', 'Shop.pay(Money)'],
    ['shop.hpp', 'Shop.pay(QString)'],
    ['shop.cpp', 'print(int)'],
    ['shop.hpp', 'print(std::string)'],
  ])('%s: %s', async (path, name) => {
    expect(await answered(CPP, path, name)).toEqual(expected(CPP, name))
  })
})

const SWIFT = {
  'Shop.swift': `class Shop {
  func show(_ id: Int) {}
  func show(_ name: String) {}
  func find(id: Int) {}
  func find(name: Int) {}
  func own(_ name: Name) {}
  func own(_ pet: Pet) {}
  func use(id: Int, other: Other, shop: Shop) {
    show(1) // calls Shop.show(Int)
    show("a") // calls Shop.show(String)
    shop.show(id) // calls Shop.show(Int)
    shop.show(other) // may call Shop.show(Int) and Shop.show(String)
    let isOne = id == 1
    shop.show(isOne) // may call Shop.show(Int) and Shop.show(String)
    shop.own("a") // may call Shop.own(Name) and Shop.own(Pet)
    shop.own(Dog()) // may call Shop.own(Name) and Shop.own(Pet)
    shop.find(id: other) // calls Shop.find(id:)
    shop.find(name: other) // calls Shop.find(name:)
    print(2) // may call print(_:)
  }
}
`,
  'Pets.swift': `struct Name {}
extension Name: ExpressibleByStringLiteral {}
protocol Pet {}
class Dog {}
extension Dog: Pet {}
`,
  'Print.swift': `func print(_ id: Int) {}
`,
}

describe('DA-13: callers of one of several overloads in Swift, from the text', () => {
  it.each([
    'Shop.show(Int)',
    'Shop.show(String)',
    'Shop.find(id:)',
    'Shop.find(name:)',
    'Shop.own(Name)',
    'Shop.own(Pet)',
  ])('%s', async name => {
    expect(await answered(SWIFT, 'Shop.swift', name)).toEqual(expected(SWIFT, name))
  })
})
