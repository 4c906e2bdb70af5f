import { describe, expect, it } from 'vitest'
import { writtenCallers as callers } from '../../../../tests/code/written-callers.ts'

const KOTLIN = {
  'p/util.kt': `package p

fun load(id: Int) = "x"
fun String.shout() = this

object Reg {
    fun register(x: Int) {}
}
class Money {
    fun amount() = 1
    fun cents(m: Money) = listOf(m::amount, Money::amount, this::amount, Money::class)
}
`,
  'p/named.kt': '@file:JvmName("Tools")\npackage p\n\nfun mend(id: Int) = id\n',
}

describe('Kotlin as Java sees it', () => {
  const files = {
    ...KOTLIN,
    'q/Far.java': `package q;

import p.Reg;
import p.UtilKt;
import static p.Tools.mend;

class Far {
  void one() {
    UtilKt.load(1);
    UtilKt.shout("a");
    p.UtilKt.load(2);
    Reg.INSTANCE.register(3);
    mend(4);
  }
}
`,
    'p/Near.java': 'package p;\n\nclass Near {\n  void two() { UtilKt.load(5); Tools.mend(6); }\n}\n',
    'r/Other.java':
      'package r;\n\nimport p.*;\n\nclass Other {\n  void three() { UtilKt.load(7); OtherKt.load(8); }\n}\n',
    'r/UtilKt.java':
      'package s;\n\nclass UtilKt {\n  static void load(int x) {}\n  void own() { UtilKt.load(9); }\n}\n',
  }

  it('has classes for files, by their names or as they say', async () => {
    expect(await callers(files, 'p/util.kt', 'load')).toEqual([
      'Near.two > load @p/Near.java:4',
      'Far.one > load @q/Far.java:9',
      'Far.one > load @q/Far.java:11',
      'Other.three > load @r/Other.java:6',
    ])
    expect(await callers(files, 'p/util.kt', 'shout')).toEqual(['Far.one > shout @q/Far.java:10'])
    expect(await callers(files, 'p/named.kt', 'mend')).toEqual([
      'Near.two > mend @p/Near.java:4',
      'Far.one > mend @q/Far.java:13',
    ])
  })

  it('has objects by their only instance, and references to methods of values', async () => {
    expect(await callers(files, 'p/util.kt', 'Reg.register')).toEqual(['Far.one > Reg.register @q/Far.java:12'])
    expect(await callers(files, 'p/util.kt', 'amount')).toEqual(['Money.cents > Money.amount @p/util.kt:11'])
  })
})

describe('super', () => {
  it('runs what stands above, and not what overrides it', async () => {
    const kotlin = {
      'Base.kt':
        'open class Base {\n    open fun draw() {}\n}\n\nclass Round : Base() {\n    override fun draw() { super.draw() }\n}\n',
    }
    expect(await callers(kotlin, 'Base.kt', 'Round.draw')).toEqual([])
    expect(await callers(kotlin, 'Base.kt', 'Base.draw')).toEqual(['Round.draw > Base.draw @Base.kt:6'])
    const java = {
      'B.java':
        'class B {\n  int helper(int a) { return a; }\n}\nclass C extends B {\n  int helper(int a) { return super.helper(a); }\n}\n',
    }
    expect(await callers(java, 'B.java', 'C.helper')).toEqual([])
    expect(await callers(java, 'B.java', 'B.helper')).toEqual(['C.helper > B.helper @B.java:5'])
  })
})

describe('extension methods of C#', () => {
  it('are called on what they extend', async () => {
    const files = {
      'A.cs': `namespace N
{
    public static class Util
    {
        public static int Ext(this string s, int n = 1) { return 1; }
        public static int Twice(this B s) { return Once(); }
        static int Once() { return 1; }
    }
    public class B
    {
        public int Once() { return 2; }
        public int M(string q, B b)
        {
            return q.Ext() + "a".Ext(2) + b.Twice() + this.Twice() + Util.Twice(b);
        }
        public int Ext() { return 3; }
        public int O() { return Ext(); }
    }
}
`,
    }
    expect(await callers(files, 'A.cs', 'Util.Ext')).toEqual(['B.M > Util.Ext @A.cs:14'])
    expect(await callers(files, 'A.cs', 'Twice')).toEqual(['B.M > Util.Twice @A.cs:14'])
    expect(await callers(files, 'A.cs', 'Util.Once')).toEqual(['Util.Twice > Util.Once @A.cs:6'])
    expect(await callers(files, 'A.cs', 'B.Ext')).toEqual(['B.O > B.Ext @A.cs:17'])
  })
})
