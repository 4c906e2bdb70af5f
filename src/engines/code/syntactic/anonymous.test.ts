import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './callers.ts'

describe('methods of classes without a name', () => {
  it('Kotlin: are no functions of what stands around them', async () => {
    const files = {
      'Screen.kt': `package p

class Screen {
    fun onClick(v: View) {}

    fun helper() = 1

    fun setup(b: View) {
        b.setOnClickListener(object : View.OnClickListener {
            val first = helper()
            override fun onClick(v: View) { inner(); helper(); this.inner() }
            fun inner() {}
        })
        onClick(b)
    }
}
`,
    }
    expect(await writtenCallers(files, 'Screen.kt', 'Screen.onClick')).toEqual([
      'Screen.setup > Screen.onClick @Screen.kt:14',
    ])
    expect(await writtenCallers(files, 'Screen.kt', 'inner')).toEqual([
      'Screen.setup.onClick > Screen.setup.inner @Screen.kt:11',
    ])
    expect(await writtenCallers(files, 'Screen.kt', 'helper')).toEqual([
      'Screen.setup > Screen.helper @Screen.kt:10',
      'Screen.setup.onClick > Screen.helper @Screen.kt:11',
    ])
  })

  it('Java: are called on what they override, and asked for by what they stand in', async () => {
    const files = {
      'B.java': `package q;

class B {
  int helper(int a) { return a; }
  int two() {
    Other o = new Other() {
      int helper(int z) { return z; }
    };
    helper(2);
    return o.helper(4) + this.helper(5);
  }
}
class Other {
  int helper(int a) { return a; }
}
`,
    }
    expect(await writtenCallers(files, 'B.java', 'B.helper')).toEqual([
      'B.two > B.helper @B.java:9',
      'B.two > B.helper @B.java:10',
    ])
    expect(await writtenCallers(files, 'B.java', 'B.two.helper')).toEqual(['B.two > B.two.helper @B.java:10'])
    expect(await writtenCallers(files, 'B.java', 'Other.helper')).toEqual(['B.two > Other.helper @B.java:10'])
    const project = await writtenProject(files)
    expect(() => callersIn(project, 'B.java', 'helper', 1)).toThrow(
      expect.objectContaining({ code: 'ambiguous', hint: expect.stringContaining('B.two.helper (line 7)') }),
    )
  })
})
