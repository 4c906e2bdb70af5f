import { describe, expect, it } from 'vitest'
import { writtenCallers as callers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './callers.ts'

describe('a name that several have', () => {
  it('Rust: is told by the modules around it', async () => {
    const files = {
      'src/lib.rs': `mod util {
    pub fn work(n: i32) -> i32 { n }
    pub mod deep { pub fn work() {} }
    pub struct B;
    impl B { pub fn go(&self) -> i32 { work(1) } }
}
pub fn b() -> i32 { util::work(2) }
fn work() {}
pub fn c() { work() }
`,
    }
    expect(await callers(files, 'src/lib.rs', 'work')).toEqual(['c > work @src/lib.rs:9'])
    expect(await callers(files, 'src/lib.rs', 'util::work')).toEqual([
      'B.go > work @src/lib.rs:5',
      'b > work @src/lib.rs:7',
    ])
    expect(await callers(files, 'src/lib.rs', 'deep.work')).toEqual([])
    expect(await callers(files, 'src/lib.rs', 'util.deep.work')).toEqual([])
  })

  it('Ruby: is told by the modules around it, by whatever sign', async () => {
    const files = {
      'm.rb':
        'module M\n  def self.work\n  end\n  class A\n    def go\n      M.work\n    end\n  end\nend\nmodule N\n  class A\n    def go\n    end\n  end\nend\n',
    }
    expect(await callers(files, 'm.rb', 'M.work')).toEqual(['A.go > work @m.rb:6'])
    for (const name of ['M.A.go', 'M::A#go']) expect(await callers(files, 'm.rb', name)).toEqual([])
    const project = await writtenProject(files)
    expect(() => callersIn(project, 'm.rb', 'A.go', 1)).toThrow(
      expect.objectContaining({
        code: 'ambiguous',
        hint: expect.stringContaining('M.A.go (line 5), N.A.go (line 12)'),
      }),
    )
  })

  it('Kotlin: is told by the companion that has it', async () => {
    const files = {
      'A.kt':
        'class A {\n    fun make() = 1\n    companion object {\n        fun make() = A()\n    }\n}\n\nfun use(a: A) = a.make()\n',
    }
    expect(await callers(files, 'A.kt', 'A.make')).toEqual(['use > A.make @A.kt:8'])
    expect(callersIn(await writtenProject(files), 'A.kt', 'A.Companion.make', 1).target.from).toBe(4)
  })
})
