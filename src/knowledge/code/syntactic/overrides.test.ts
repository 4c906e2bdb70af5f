import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('DA-13: callers of overrides in Kotlin, from the text', () => {
  const files = {
    'shapes.kt': `package shapes

open class Shape<T> {
    open fun resize(factor: Int) {}
    open fun label(value: T, text: String) {}
    open fun paint(color: Int) {}
    open fun paint(name: String) {}
}
typealias Factor = Int
class Circle : Shape<Long>() {
    fun resize(preset: String) {}
    override fun label(value: Long, text: String) {}
    override fun paint(color: Int) {}
}
class Square : Shape<Long>() {
    override fun resize(factor: Factor) {}
}
fun onShape(shape: Shape<Long>) { shape.resize(3); shape.label(1L, "") }
fun onCircle(circle: Circle) { circle.resize(5); circle.label(2L, "") }
fun paintShape(shape: Shape<Long>) { shape.paint(1) }
fun byPreset(circle: Circle) { circle.resize("large") }
`,
  }

  it('are not those of the base where the method is an overload', async () => {
    expect(await writtenCallers(files, 'shapes.kt', 'Circle.resize')).toEqual([
      'byPreset > Circle.resize @shapes.kt:21',
    ])
  })

  it('of the base may be calls on a class that adds an overload', async () => {
    expect(await writtenCallers(files, 'shapes.kt', 'Shape.resize')).toEqual([
      'onShape > Shape.resize @shapes.kt:18',
      'onCircle > Shape.resize @shapes.kt:19',
    ])
  })

  it('may be those of the base where a parameter has another name for the same type', async () => {
    expect(await writtenCallers(files, 'shapes.kt', 'Square.resize')).toEqual([])
    expect(await possibleCallers(files, 'shapes.kt', 'Square.resize')).toEqual([
      'onShape @shapes.kt:18',
      'onCircle @shapes.kt:19',
    ])
  })

  it('may be those of the base where a parameter has the type that the class gives to the base', async () => {
    expect(await writtenCallers(files, 'shapes.kt', 'Circle.label')).toEqual(['onCircle > Circle.label @shapes.kt:19'])
    expect(await possibleCallers(files, 'shapes.kt', 'Circle.label')).toEqual(['onShape @shapes.kt:18'])
  })

  it('are not those of the base itself', async () => {
    expect(await writtenCallers(files, 'shapes.kt', 'Shape.label')).toEqual(['onShape > Shape.label @shapes.kt:18'])
  })

  it('may be those of the base where only one of its overloads is overridden', async () => {
    expect(await possibleCallers(files, 'shapes.kt', 'Circle.paint')).toEqual(['paintShape @shapes.kt:20'])
  })
})

describe('DA-13: callers of overrides in Java, from the text', () => {
  const files = {
    'Base.java': `class Base {
  static void open(int id) {}
  private void check(int id) {}
  void load(int id) {}
  void loadAll(java.util.List<String> ids) {}
  void inBase() { check(1); load(1); loadAll(null); Base.open(1); }
}
`,
    'Derived.java': `class Derived extends Base {
  static void open(int id) {}
  void check(int id) {}
  void load(String id) {}
  void loadAll(List<String> ids) {}
  void inDerived() { check(2); Derived.open(2); }
  static void onDerived(Derived derived) { derived.load(3); }
  static void byName(Derived derived) { derived.load("a"); }
}
`,
    'KotlinDerived.kt': 'class KotlinDerived : Base() {\n    override fun load(id: Int) {}\n}\n',
  }

  it('are not those of the base where the method is static', async () => {
    expect(await writtenCallers(files, 'Derived.java', 'Derived.open')).toEqual([
      'Derived.inDerived > Derived.open @Derived.java:6',
    ])
    expect(await writtenCallers(files, 'Base.java', 'Base.open')).toEqual(['Base.inBase > Base.open @Base.java:6'])
  })

  it('are not those of the base where that is private', async () => {
    expect(await writtenCallers(files, 'Derived.java', 'Derived.check')).toEqual([
      'Derived.inDerived > Derived.check @Derived.java:6',
    ])
  })

  it('are not those of the base where the method is an overload', async () => {
    expect(await writtenCallers(files, 'Derived.java', 'Derived.load')).toEqual([
      'Derived.byName > Derived.load @Derived.java:8',
    ])
  })

  it('of the base may be calls on a class that adds an overload', async () => {
    expect(await writtenCallers(files, 'Base.java', 'Base.load')).toEqual([
      'Base.inBase > Base.load @Base.java:6',
      'Derived.onDerived > Base.load @Derived.java:7',
    ])
  })

  it('may be those of the base where a parameter has the short name of the same type', async () => {
    expect(await possibleCallers(files, 'Derived.java', 'Derived.loadAll')).toEqual(['Base.inBase @Base.java:6'])
  })

  it('may be those of the Java base where Kotlin overrides it', async () => {
    expect(await possibleCallers(files, 'KotlinDerived.kt', 'KotlinDerived.load')).toEqual([
      'Base.inBase @Base.java:6',
      'Derived.onDerived @Derived.java:7',
    ])
  })
})

describe('a call on super', () => {
  const kotlin = {
    'Shape.kt': `open class Shape {
    open fun draw() {}
}
class Circle : Shape() {
    override fun draw() { super.draw() }
}
`,
  }
  const java = {
    'Shape.java': `class Shape {
  int area(int side) { return side; }
}
class Circle extends Shape {
  int area(int side) { return super.area(side); }
}
`,
  }

  it.each([
    ['Kotlin', kotlin, 'Shape.kt', 'draw'],
    ['Java', java, 'Shape.java', 'area'],
  ])('in %s runs what is overridden', async (_language, files, path, method) => {
    expect(await writtenCallers(files, path, `Shape.${method}`)).toEqual([
      `Circle.${method} > Shape.${method} @${path}:5`,
    ])
  })

  it.each([
    ['Kotlin', kotlin, 'Shape.kt', 'draw'],
    ['Java', java, 'Shape.java', 'area'],
  ])('in %s does not run the override', async (_language, files, path, method) => {
    expect(await writtenCallers(files, path, `Circle.${method}`)).toEqual([])
  })
})

describe('an override of a method with defaults in Kotlin', () => {
  const files = {
    'Screen.kt': `open class Screen {
    open fun draw(n: Int = 1) {}
}
class Sub : Screen() {
    override fun draw(n: Int) { super.draw(n) }
}
fun onScreen(s: Screen) { s.draw() }
fun onSub() { val s = Sub(); s.draw(2) }
fun byDefault() { Sub().draw() }
`,
  }

  it('is what runs where its class is known, and may run where the base is', async () => {
    expect(await writtenCallers(files, 'Screen.kt', 'Sub.draw')).toEqual([
      'onSub > Sub.draw @Screen.kt:8',
      'byDefault > Sub.draw @Screen.kt:9',
    ])
    expect(await possibleCallers(files, 'Screen.kt', 'Sub.draw')).toEqual(['onScreen @Screen.kt:7'])
  })

  it('hides what it overrides', async () => {
    expect(await writtenCallers(files, 'Screen.kt', 'Screen.draw')).toEqual([
      'Sub.draw > Screen.draw @Screen.kt:5',
      'onScreen > Screen.draw @Screen.kt:7',
    ])
    expect(await possibleCallers(files, 'Screen.kt', 'Screen.draw')).toEqual([])
  })
})
