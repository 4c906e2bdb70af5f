import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('a member that is nearer than the inherited one', () => {
  const php = {
    'a.php': `<?php
class Base { function go() { return 1; } static function make(): static { return new static; } }
class Sub extends Base { function go() { return 2; } }
trait Tr { function go() { return 5; } }
class Sub3 extends Base { use Tr;
  function own() { return $this->go(); }
  function above() { return parent::go(); }
}
class Alien { function go() { return 3; } }
class Plain extends Base { function byStatic() { return static::make()->go(); } }
function called() { Sub::make()->go(); }
function calledOnBase() { Base::make()->go(); }
function union(Base|Alien|null $u) { $u->go(); }
(new Sub3)->go();
`,
  }

  it('is that of a trait, of the called class, and of one of several types in PHP', async () => {
    expect(await writtenCallers(php, 'a.php', 'Base.go')).toEqual([
      'Sub3.above > Base.go @a.php:7',
      'Plain.byStatic > Base.go @a.php:10',
      'calledOnBase > Base.go @a.php:12',
    ])
    expect(await possibleCallers(php, 'a.php', 'Base.go')).toEqual(['union @a.php:13'])
    expect(await writtenCallers(php, 'a.php', 'Tr.go')).toEqual([
      'Sub3.own > Tr.go @a.php:6',
      '<module> > Tr.go @a.php:14',
    ])
    expect(await writtenCallers(php, 'a.php', 'Sub.go')).toEqual(['called > Sub.go @a.php:11'])
    expect(await possibleCallers(php, 'a.php', 'Alien.go')).toEqual(['union @a.php:13'])
  })

  it('may be that of an unnamed class in Java', async () => {
    const java = {
      'A.java': `class Base { int go() { return 1; } }
class V {
  void own() { new Base() { int go() { return 4; } }.go(); }
  void plain() { new Base().go(); }
}
`,
    }
    expect(await writtenCallers(java, 'A.java', 'Base.go')).toEqual(['V.plain > Base.go @A.java:4'])
    expect(await possibleCallers(java, 'A.java', 'Base.go')).toEqual(['V.own @A.java:3'])
  })

  it.each([
    [
      'A.kt',
      'Base.go',
      'class Base { fun go() = 1 }\nfun Base.go(x: Int) = 5\nfun one(b: Base) { b.go(1) }\nfun none(b: Base) { b.go() }\n',
    ],
    [
      'a.cs',
      'Base.go',
      'class Base { public int go() => 1; }\nstatic class Ext { public static int go(this Base s, int x) => 1;\npublic static void one(Base b) { b.go(1); }\npublic static void none(Base b) { b.go(); } }\n',
    ],
    [
      'a.swift',
      'Base.go',
      'class Base { func go() -> Int { 1 } }\nextension Base { func go(_ x: Int) -> Int { 5 } }\nfunc one(b: Base) { b.go(1) }\nfunc none(b: Base) { b.go() }\n',
    ],
  ])('is an extension that takes as many arguments, in %s', async (path, name, text) => {
    const files = { [path]: text }
    const callers = await writtenCallers(files, path, `${name}${path.endsWith('swift') ? '()' : ''}`)
    expect(callers.map(each => each.replace(/^.*@/, ''))).toEqual([`${path}:4`])
    expect(await possibleCallers(files, path, `${name}${path.endsWith('swift') ? '()' : ''}`)).toEqual([])
  })

  it('takes as many arguments as the call has, or is not certain', async () => {
    const files = { 'A.kt': 'class Base { fun go() = 1 }\nfun one(b: Base) { b.go(1) }\n' }
    expect(await writtenCallers(files, 'A.kt', 'Base.go')).toEqual([])
    expect(await possibleCallers(files, 'A.kt', 'Base.go')).toEqual(['one @A.kt:2'])
  })
})
