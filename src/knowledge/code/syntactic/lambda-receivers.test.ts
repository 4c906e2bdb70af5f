import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('a bare name in a lambda with a receiver', () => {
  const files = {
    'A.kt': `package p
open class Base { fun go() = 1; fun own() = 2 }
class Alien { fun go() = 3 }
fun dsl(block: Alien.() -> Unit) {}
fun named(title: String, block: suspend Alien.() -> Unit) {}
fun plain(block: () -> Unit) {}
fun <T> T.configured(block: T.() -> Unit) = this
class InBase : Base() {
  fun byType() { dsl { go() } }
  fun byThis() { dsl { this.go() } }
  fun afterOthers() { named("a") { go() } }
  fun withoutReceiver() { plain { go(); this.go() } }
  fun ofOther() { dsl { own() } }
  fun byVariable(a: Alien) { a.configured { go() } }
}
`,
  }

  it('is a member of the type that the called function gives it in Kotlin, or else of what is around', async () => {
    expect(await writtenCallers(files, 'A.kt', 'Alien.go')).toEqual([
      'InBase.byType > Alien.go @A.kt:9',
      'InBase.byThis > Alien.go @A.kt:10',
      'InBase.afterOthers > Alien.go @A.kt:11',
      'InBase.byVariable > Alien.go @A.kt:14',
    ])
    expect(await writtenCallers(files, 'A.kt', 'Base.go')).toEqual(['InBase.withoutReceiver > Base.go @A.kt:12'])
    expect(await writtenCallers(files, 'A.kt', 'Base.own')).toEqual(['InBase.ofOther > Base.own @A.kt:13'])
  })

  it('may be one of the object that a Ruby block runs on', async () => {
    const ruby = {
      'a.rb': `def go; 0; end
class Base
  def go; 1; end
end
def run(given)
  base = Base.new
  base.instance_eval { go }
  given.instance_exec { go }
end
Base.class_eval { define_method(:on) { go } }
Class.new(Base) { define_method(:on) { go } }
`,
    }
    expect(await writtenCallers(ruby, 'a.rb', 'go')).toEqual([])
    const places = ['run @a.rb:7', 'run @a.rb:8', '<module> @a.rb:10', '<module> @a.rb:11']
    expect(await possibleCallers(ruby, 'a.rb', 'go')).toEqual(places)
    expect(await possibleCallers(ruby, 'a.rb', 'Base.go')).toEqual(places)
  })
})
