import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('a call of the base', () => {
  const files = {
    'kid.rb': `class Base
  def initialize(a); @a = a; end
  def save(x); x; end
  def drop(x); x; end
  def self.make; 1; end
end
class Kid < Base
  def initialize(a)
    super
  end
  def save(x)
    super + 1
  end
  def drop(x)
    super(x)
  end
  def self.make
    super.to_s
  end
end
class Other
  def save(x); super; end
end
`,
    'Kid.java': `interface Shape { default double area() { return 1; } }
class Base { int save(int x) { return x; } }
class Kid extends Base implements Shape {
  int save(int x) { return super.save(x); }
  public double area() { return Shape.super.area(); }
}
`,
    'Kid.kt': `open class Root { open fun save(x: Int) = x }
interface Sized { fun size() = 1 }
class Leaf : Root(), Sized {
    override fun save(x: Int) = super<Root>.save(x)
    override fun size() = super.size()
}
`,
    'Kid.cs': `class Base { public virtual int Save(int x) { return x; } }
class Kid : Base { public override int Save(int x) { return base.Save(x); } }
`,
    'kid.php': `<?php
class Base { public function save($x) { return $x; } }
class Kid extends Base { public function save($x) { return parent::save($x); } }
`,
    'kid.swift': `class Base {
  func save(_ x: Int) -> Int { return x }
}
class Kid: Base {
  override func save(_ x: Int) -> Int { return super.save(x) }
}
`,
  }

  it.each([
    ['kid.rb', 'Base.save', 'Kid.save > Base.save @kid.rb:12'],
    ['kid.rb', 'Base.drop', 'Kid.drop > Base.drop @kid.rb:15'],
    ['kid.rb', 'Base.initialize', 'Kid.initialize > Base.initialize @kid.rb:9'],
    ['kid.rb', 'Base.make', 'Kid.make > Base.make @kid.rb:18'],
    ['Kid.java', 'Base.save', 'Kid.save > Base.save @Kid.java:4'],
    ['Kid.java', 'Shape.area', 'Kid.area > Shape.area @Kid.java:5'],
    ['Kid.kt', 'Root.save', 'Leaf.save > Root.save @Kid.kt:4'],
    ['Kid.kt', 'Sized.size', 'Leaf.size > Sized.size @Kid.kt:5'],
    ['Kid.cs', 'Base.Save', 'Kid.Save > Base.Save @Kid.cs:2'],
    ['kid.php', 'Base.save', 'Kid.save > Base.save @kid.php:3'],
    ['kid.swift', 'Base.save', 'Kid.save > Base.save @kid.swift:5'],
  ])('in %s is one of %s', async (path, name, caller) => {
    expect(await writtenCallers(files, path, name)).toEqual([caller])
    const kid = name.replace(/^\w+/, path === 'Kid.kt' ? 'Leaf' : 'Kid')
    expect(await writtenCallers(files, path, kid)).toEqual([])
    expect(await possibleCallers(files, path, kid)).toEqual([])
  })
})
