import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './syntactic-callers.ts'

describe('methods of an anonymous object in Kotlin', () => {
  const files = {
    'Screen.kt': `package ui

class Screen {
    fun onClick(view: View) {}

    fun helper() = 1

    fun setup(button: View) {
        button.setOnClickListener(object : View.OnClickListener {
            val first = helper()
            override fun onClick(view: View) { inner(); helper(); this.inner() }
            fun inner() {}
        })
        onClick(button)
    }
}
`,
  }

  it('are not the method of the same name in the class around it', async () => {
    expect(await writtenCallers(files, 'Screen.kt', 'Screen.onClick')).toEqual([
      'Screen.setup > Screen.onClick @Screen.kt:14',
    ])
  })

  it('call each other', async () => {
    expect(await writtenCallers(files, 'Screen.kt', 'inner')).toEqual([
      'Screen.setup.onClick > Screen.setup.inner @Screen.kt:11',
    ])
  })

  it('call methods of the class around it', async () => {
    expect(await writtenCallers(files, 'Screen.kt', 'helper')).toEqual([
      'Screen.setup > Screen.helper @Screen.kt:10',
      'Screen.setup.onClick > Screen.helper @Screen.kt:11',
    ])
  })
})

describe('methods of an anonymous class in Java', () => {
  const files = {
    'Screen.java': `package ui;

class Screen {
  int size(int scale) { return scale; }
  int draw() {
    Shape anonymous = new Shape() {
      int size(int scale) { return scale; }
    };
    size(2);
    this.size(5);
    return anonymous.size(4);
  }
}
class Shape {
  int size(int scale) { return scale; }
}
`,
  }

  it('are not the method of the same name in the class around it', async () => {
    expect(await writtenCallers(files, 'Screen.java', 'Screen.size')).toEqual([
      'Screen.draw > Screen.size @Screen.java:9',
      'Screen.draw > Screen.size @Screen.java:10',
    ])
  })

  it('may be called on the type that they override, and named by the method that they stand in', async () => {
    expect(await possibleCallers(files, 'Screen.java', 'Screen.draw.size')).toEqual(['Screen.draw @Screen.java:11'])
  })

  it('leave their callers to the method that they override too', async () => {
    expect(await writtenCallers(files, 'Screen.java', 'Shape.size')).toEqual([
      'Screen.draw > Shape.size @Screen.java:11',
    ])
  })

  it('are offered where a name is ambiguous', async () => {
    const project = await writtenProject(files)
    expect(() => callersIn(project, 'Screen.java', 'size', 1)).toThrow(
      expect.objectContaining({ code: 'ambiguous', hint: expect.stringContaining('Screen.draw.size (line 7)') }),
    )
  })
})
