import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('a bare name where there is no instance', () => {
  const kotlin = {
    'A.kt': `package p
open class Base { fun go() = 1
  companion object { fun inCompanion() { go() } }
  class Nested { fun inNested() { go() } }
  inner class Inner { fun inInner() { go() } }
  fun inAnonymous() = object : Runnable { override fun run() { go() } }
}
object Single { fun only() = 2
  class Nested { fun inObject() { only() } }
}
fun go() = 7
`,
  }

  it('is no member of a Kotlin class from its companion or a nested class, unlike an inner one', async () => {
    expect(await writtenCallers(kotlin, 'A.kt', 'Base.go')).toEqual([
      'Base.Inner.inInner > Base.go @A.kt:5',
      'Base.inAnonymous.run > Base.go @A.kt:6',
    ])
    expect(await writtenCallers(kotlin, 'A.kt', 'Single.only')).toEqual([
      'Single.Nested.inObject > Single.only @A.kt:9',
    ])
    const { 'A.kt': text } = kotlin
    expect(await possibleCallers({ 'A.kt': text.replace('fun go() = 7', '') }, 'A.kt', 'Base.go')).toEqual([
      'Base.inCompanion @A.kt:3',
      'Base.Nested.inNested @A.kt:4',
    ])
  })

  it('is a static member in Java, C# and Swift', async () => {
    const java = {
      'A.java': `class Base { int go() { return 1; } static int made() { return 2; }
  static class Nested { void inNested() { go(); made(); } }
  class Inner { void inInner() { go(); made(); } }
  static void inStatic() { go(); made(); }
}
`,
    }
    expect(await writtenCallers(java, 'A.java', 'Base.go')).toEqual(['Base.Inner.inInner > Base.go @A.java:3'])
    expect(await writtenCallers(java, 'A.java', 'Base.made')).toHaveLength(3)
    const csharp = {
      'a.cs': `class Base { public int Go() => 1; static int Made() => 2;
  static void InStatic() { Go(); Made(); }
  void InInstance() { Go(); Made(); }
}
`,
    }
    expect(await writtenCallers(csharp, 'a.cs', 'Base.Go')).toEqual(['Base.InInstance > Base.Go @a.cs:3'])
    expect(await writtenCallers(csharp, 'a.cs', 'Base.Made')).toHaveLength(2)
    const swift = {
      'a.swift': `class Base { func go() -> Int { 1 }
  static func made() -> Int { 2 }
  static func inStatic() { go(); made() }
  func inInstance() { go() }
}
`,
    }
    expect(await writtenCallers(swift, 'a.swift', 'Base.go')).toEqual(['Base.inInstance > Base.go @a.swift:4'])
    expect(await writtenCallers(swift, 'a.swift', 'Base.made')).toEqual(['Base.inStatic > Base.made @a.swift:3'])
  })

  it('is a method of the class in Ruby, in a method or body of it', async () => {
    const ruby = {
      'a.rb': `def go; 0; end
class Base
  def go; 1; end
  def self.on_class
    go
  end
  class << self
    def on_singleton
      go
    end
    def made; 2; end
  end
  def instance; go; end
  self.made
  def wrong; made; end
end
module Ext; def go; 7; end; end
class Two < Base
  extend Ext
  def self.m
    go
    self.made
  end
end
Two.go
Two.made
Two.new.go
`,
    }
    expect(await writtenCallers(ruby, 'a.rb', 'Base.go')).toEqual(['Base.instance > Base.go @a.rb:13'])
    expect(await writtenCallers(ruby, 'a.rb', 'Base.made')).toEqual([
      'Base > Base.made @a.rb:14',
      'Two.m > Base.made @a.rb:22',
      '<module> > Base.made @a.rb:26',
    ])
    expect(await possibleCallers(ruby, 'a.rb', 'Base.go')).toEqual(['<module> @a.rb:27'])
    expect(await writtenCallers(ruby, 'a.rb', 'Ext.go')).toEqual(['Two.m > go @a.rb:21', '<module> > go @a.rb:25'])
  })
})
