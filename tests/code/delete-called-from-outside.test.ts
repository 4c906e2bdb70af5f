import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'

const FILES = {
  'Cmp.java': `class Cmp implements Comparable<Cmp> {
  public int compareTo(Cmp o) { return 0; }

  int own() { return 1; }
}
`,
  'Job.kt': 'class Job : Runnable {\n    override fun run() {}\n}\n',
  'x.rs':
    'struct X;\nimpl Iterator for X {\n  fn size_hint(&self) -> i32 { 1 }\n\n  fn next(&mut self) -> i32 { 1 }\n}\n',
  'v.cpp': 'class V : public ext::Widget {\n  void draw() {}\n\n  void paint() {}\n};\n',
  'd.cpp': 'struct D {\n  ~D() { done(); }\n};\n\nstatic Entry entry("a");\n\nstatic int size = 4;\n',
  'a.go': 'package a\n\ntype L []int\n\nfunc (l L) Less(i, j int) bool { return true }\n',
  'r.php':
    '<?php\nclass R implements ArrayAccess {\n  public function offsetGet($i) { return 1; }\n\n  public function run($m) { return $this->$m(); }\n}\n',
  'It.cs': 'class It : IEnumerable<int> {\n  public void Add(int x) {}\n}\n',
  'col.rb': `class Base
  def save(x); x; end
end
class Col < Base
  def name=(v); v; end
  def save(x)
    super
  end
  def free; 1; end
end
def set; c = Col.new; c.name = 3; end
`,
}

describe('deleting what is called without its name, where no server serves the language', () => {
  it.each([
    ['Cmp.java', 'Cmp.compareTo', 'Comparable, which is declared outside of the workspace, may call Cmp.compareTo'],
    ['Job.kt', 'Job.run', 'Runnable, which is declared outside of the workspace, may call Job.run'],
    ['x.rs', 'X.size_hint', 'Iterator, which is declared outside of the workspace, may call X.size_hint'],
    ['v.cpp', 'V.draw', 'Widget, which is declared outside of the workspace, may call V.draw'],
    ['d.cpp', 'D.~D', 'the end of an object calls it'],
    ['d.cpp', 'entry', 'it runs with the declaration'],
    ['a.go', 'L.Less', "An interface of Go's library asks for Less"],
    ['r.php', 'R.offsetGet', 'The language calls offsetGet'],
    ['It.cs', 'It.Add', 'IEnumerable, which is declared outside of the workspace, may call It.Add'],
    ['col.rb', 'Base.save', "'Base.save' is called without its name: col.rb:7"],
    ['col.rb', 'Col.name=', "'Col.name=' is called without its name: col.rb:11"],
  ])('asks: %s %s', async (path, symbol, message) => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    expect(await kit.call('refactor', { kind: 'delete', symbol, path, effects: 'off' })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(message) },
    })
    expect(readFileSync(join(workspace.path, path), 'utf8')).toBe(FILES[path as keyof typeof FILES])
  })

  it('lands where that is decided, and where nothing is open', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (path: string, symbol: string, more: object = {}) =>
      kit.call('refactor', { kind: 'delete', symbol, path, effects: 'off', ...more })
    expect(await remove('Cmp.java', 'Cmp.compareTo', { leave: ['file:Cmp.java'] })).toMatchObject({ ok: true })
    expect(await remove('Cmp.java', 'Cmp.own')).toMatchObject({ ok: true })
    expect(await remove('col.rb', 'Col.free')).toMatchObject({ ok: true })
    expect(readFileSync(join(workspace.path, 'Cmp.java'), 'utf8')).not.toContain('int ')
  })
})
