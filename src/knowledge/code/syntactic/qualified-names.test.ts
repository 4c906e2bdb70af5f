import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './syntactic-callers.ts'

describe('a name of Rust that several functions have', () => {
  const files = {
    'src/lib.rs': `mod util {
    pub fn work(size: i32) -> i32 { size }
    pub mod deep { pub fn work() {} }
    pub struct Worker;
    impl Worker { pub fn in_util(&self) -> i32 { work(1) } }
}
pub fn by_module() -> i32 { util::work(2) }
fn work() {}
pub fn in_root() { work() }
`,
  }

  it('means the one outside of all modules where none is named', async () => {
    expect(await writtenCallers(files, 'src/lib.rs', 'work')).toEqual(['in_root > work @src/lib.rs:9'])
  })

  it('means the one of the module that is named', async () => {
    expect(await writtenCallers(files, 'src/lib.rs', 'util::work')).toEqual([
      'Worker.in_util > work @src/lib.rs:5',
      'by_module > work @src/lib.rs:7',
    ])
  })

  it.each(['deep.work', 'util.deep.work'])(
    'means the one of the inner module by %s, which has no callers',
    async name => {
      expect(await writtenCallers(files, 'src/lib.rs', name)).toEqual([])
      expect(callersIn(await writtenProject(files), 'src/lib.rs', name, 1).target.from).toBe(3)
    },
  )
})

describe('a name of Ruby that several methods have', () => {
  const files = {
    'jobs.rb': `module Daily
  def self.work
  end
  class Job
    def start
      Daily.work
    end
  end
end
module Weekly
  class Job
    def start
    end
  end
end
`,
  }

  it('means a method of a module by the module', async () => {
    expect(await writtenCallers(files, 'jobs.rb', 'Daily.work')).toEqual(['Job.start > work @jobs.rb:6'])
  })

  it.each(['Daily.Job.start', 'Daily::Job#start'])('means a method of a class by %s', async name => {
    expect(await writtenCallers(files, 'jobs.rb', name)).toEqual([])
    expect(callersIn(await writtenProject(files), 'jobs.rb', name, 1).target.from).toBe(5)
  })

  it('is refused where it names two, and the error says how to name each', async () => {
    const project = await writtenProject(files)
    expect(() => callersIn(project, 'jobs.rb', 'Job.start', 1)).toThrow(
      expect.objectContaining({
        code: 'ambiguous',
        hint: expect.stringContaining('Daily.Job.start (line 5), Weekly.Job.start (line 12)'),
      }),
    )
  })
})
