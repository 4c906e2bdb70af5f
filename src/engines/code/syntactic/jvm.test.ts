import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './callers.ts'

/** A module of an Android app: nothing of `android.*` is there, and names repeat as they do in real ones. */
const FILES = {
  'app/src/main/java/com/shop/data/UserRepository.kt': `package com.shop.data

import android.content.Context
import kotlinx.coroutines.flow.Flow

interface UserSource {
    suspend fun load(id: Int): User?
}

class UserRepository(private val context: Context, private val api: UserApi) : UserSource {
    private val cache: MutableMap<Int, User> = mutableMapOf()

    override suspend fun load(id: Int): User? = cache[id] ?: api.fetch(id)

    fun load(id: Int, force: Boolean): User? {
        return if (force) api.fetch(id) else null
    }

    fun clear() {
        cache.clear()
    }

    companion object {
        @Volatile private var instance: UserRepository? = null

        fun get(context: Context): UserRepository =
            instance ?: UserRepository(context, UserApi())
    }
}
`,
  'app/src/main/java/com/shop/data/UserApi.kt': `package com.shop.data

class UserApi {
    fun fetch(id: Int): User = User(id, normalize("ann"))
}

data class User(val id: Int, val name: String)
`,
  'app/src/main/java/com/shop/data/Text.kt': `package com.shop.data

fun normalize(text: String): String = text.trim()

fun String.shout(loud: Boolean = true): String = normalize(this).uppercase()
`,
  'app/src/main/java/com/shop/legacy/Text.kt': `package com.shop.legacy

fun normalize(text: String): String = text

class OrderRepository {
    fun load(id: Int): Order = Order(normalize("x"))
    fun clear() {}
}

class Order(val title: String)
`,
  'app/src/main/java/com/shop/ui/ProfileActivity.kt': `package com.shop.ui

import android.os.Bundle
import android.util.Log
import androidx.appcompat.app.AppCompatActivity
import com.shop.data.User
import com.shop.data.UserRepository
import com.shop.data.UserSource
import com.shop.data.normalize as tidy
import com.shop.data.shout
import com.shop.legacy.OrderRepository

class ProfileActivity : AppCompatActivity() {
    private val repository by lazy { UserRepository.get(this) }
    private lateinit var orders: OrderRepository
    private var source: UserSource = repository

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        Log.d("Profile", "load")
        render(1)
        orders.load(7)
        orders.clear()
    }

    private fun render(id: Int) {
        val user = repository.load(id, true)
        title = tidy(user?.name ?: "").shout()
        with(repository) {
            clear()
        }
    }

    fun refresh(ids: List<Int>) {
        ids.forEach { source.load(it) }
        render(
            ids.first(),
        )
    }
}
`,
  'app/src/main/java/com/shop/ui/Presenter.java': `package com.shop.ui;

import android.view.View;
import com.shop.data.*;
import com.shop.legacy.OrderRepository;
import java.util.List;

public class Presenter implements View.OnClickListener {
  private final UserRepository repository;
  private final OrderRepository orders = new OrderRepository();

  public Presenter(UserRepository repository) {
    this.repository = repository;
  }

  @Override
  public void onClick(View view) {
    show(view.getId());
    view.clear();
  }

  void show(int id) {
    User user = repository.load(id, false);
    orders.load(id);
    reload(List.of(user));
  }

  void reload(List<User> users) {
    for (User each : users) {
      repository.load(each.getId(), true);
    }
    UserRepository.Companion.get(null).clear();
  }

  static Presenter create(android.content.Context context) {
    return new Presenter(UserRepository.Companion.get(context));
  }
}
`,
}

const DATA = 'app/src/main/java/com/shop/data'
const UI = 'app/src/main/java/com/shop/ui'

/** With the plain names of files, short enough to be read. */
async function callers(path: string, name: string, depth = 1, files: Readonly<Record<string, string>> = FILES) {
  const found = await writtenCallers(files, path, name, depth)
  return found.map(each => each.replace(/ @.*\//, ' @'))
}

describe('callers in Kotlin and Java', () => {
  it('DA-13: tells overloads apart by what they take, over both languages', async () => {
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository.load')).toEqual([
      'Presenter.show > UserRepository.load @Presenter.java:23',
      'Presenter.reload > UserRepository.load @Presenter.java:30',
      'ProfileActivity.render > UserRepository.load @ProfileActivity.kt:27',
      // Through the interface.
      'ProfileActivity.refresh > UserRepository.load @ProfileActivity.kt:35',
    ])
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserSource.load')).toEqual([
      'ProfileActivity.refresh > UserSource.load @ProfileActivity.kt:35',
    ])
  })

  it('DA-13: leaves out what only looks alike: another class, another package, a library', async () => {
    expect(await callers('app/src/main/java/com/shop/legacy/Text.kt', 'OrderRepository.load')).toEqual([
      'Presenter.show > OrderRepository.load @Presenter.java:24',
      'ProfileActivity.onCreate > OrderRepository.load @ProfileActivity.kt:22',
    ])
    expect(await callers(`${DATA}/UserRepository.kt`, 'clear')).toEqual([
      'Presenter.reload > UserRepository.clear @Presenter.java:32',
      'ProfileActivity.render > UserRepository.clear @ProfileActivity.kt:30',
    ])
    expect(await callers(`${DATA}/Text.kt`, 'normalize')).toEqual([
      'shout > normalize @Text.kt:5',
      'UserApi.fetch > normalize @UserApi.kt:4',
      'ProfileActivity.render > normalize @ProfileActivity.kt:28',
    ])
    expect(await callers('app/src/main/java/com/shop/legacy/Text.kt', 'normalize')).toEqual([
      'OrderRepository.load > normalize @Text.kt:6',
    ])
  })

  it('DA-13: follows extension functions, companions and constructors', async () => {
    expect(await callers(`${DATA}/Text.kt`, 'shout')).toEqual(['ProfileActivity.render > shout @ProfileActivity.kt:28'])
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository.get')).toEqual([
      'Presenter.reload > UserRepository.get @Presenter.java:32',
      'Presenter.create > UserRepository.get @Presenter.java:36',
      'ProfileActivity > UserRepository.get @ProfileActivity.kt:14',
    ])
    expect(await callers(`${DATA}/UserRepository.kt`, 'UserRepository')).toEqual([
      'UserRepository.get > UserRepository @UserRepository.kt:27',
    ])
    expect(await callers(`${UI}/Presenter.java`, 'Presenter')).toEqual([
      'Presenter.create > Presenter @Presenter.java:36',
    ])
  })

  it('DA-13: takes for an override only what says so, or takes the same and is neither static nor private', async () => {
    const kotlin = {
      'a.kt': `package a

open class Base<T> {
    open fun f(x: Int) {}
    open fun g(x: T, s: String) {}
    open fun h(x: Int) {}
    open fun h(s: String) {}
}
typealias Id = Int
class D : Base<Long>() {
    fun f(s: String) {}
    override fun g(x: Long, s: String) {}
    override fun h(x: Int) {}
}
class E : Base<Long>() {
    override fun f(x: Id) {}
}
fun onBase(b: Base<Long>) { b.f(3); b.g(1L, "") }
fun onD(d: D) { d.f(5); d.g(2L, "") }
fun onH(b: Base<Long>) { b.h(1) }
`,
    }
    expect(await callers('a.kt', 'D.f', 1, kotlin)).toEqual(['onD > D.f @a.kt:19'])
    expect(await callers('a.kt', 'Base.f', 1, kotlin)).toEqual(['onBase > Base.f @a.kt:18', 'onD > Base.f @a.kt:19'])
    expect(await callers('a.kt', 'E.f', 1, kotlin)).toEqual(['onBase > E.f @a.kt:18', 'onD > E.f @a.kt:19'])
    expect(await callers('a.kt', 'D.g', 1, kotlin)).toEqual(['onBase > D.g @a.kt:18', 'onD > D.g @a.kt:19'])
    expect(await callers('a.kt', 'Base.g', 1, kotlin)).toEqual(['onBase > Base.g @a.kt:18'])
    expect(await callers('a.kt', 'D.h', 1, kotlin)).toEqual(['onH > D.h @a.kt:20'])
    const java = {
      'Base.java': `class Base {
  static void s(int x) {}
  private void p(int x) {}
  void q(int x) {}
  void o(java.util.List<String> x) {}
  void inBase() { p(1); q(1); o(null); Base.s(1); }
}
`,
      'D.java': `class D extends Base {
  static void s(int x) {}
  void p(int x) {}
  void q(String x) {}
  void o(List<String> x) {}
  void inD() { p(2); D.s(2); }
  static void onD(D d) { d.q(3); }
}
`,
      'K.kt': 'class K : Base() {\n    override fun q(x: Int) {}\n}\n',
    }
    expect(await callers('D.java', 'D.s', 1, java)).toEqual(['D.inD > D.s @D.java:6'])
    expect(await callers('Base.java', 'Base.s', 1, java)).toEqual(['Base.inBase > Base.s @Base.java:6'])
    expect(await callers('D.java', 'D.p', 1, java)).toEqual(['D.inD > D.p @D.java:6'])
    expect(await callers('D.java', 'D.q', 1, java)).toEqual(['D.onD > D.q @D.java:7'])
    expect(await callers('Base.java', 'Base.q', 1, java)).toEqual([
      'Base.inBase > Base.q @Base.java:6',
      'D.onD > Base.q @D.java:7',
    ])
    expect(await callers('D.java', 'D.o', 1, java)).toEqual(['Base.inBase > D.o @Base.java:6'])
    expect(await callers('K.kt', 'K.q', 1, java)).toEqual(['Base.inBase > K.q @Base.java:6', 'D.onD > K.q @D.java:7'])
  })

  it('DA-13: finds what a companion with a name of its own holds', async () => {
    const files = {
      'a.kt': `package a

class O1 {
    companion object Factory { fun make() = 1 }
    fun own() = make()
}
object Other {
    fun make() = 2
}
fun u1() = O1.make()
fun u2() = O1.Factory.make()
fun u3() = Other.make()
`,
      'b.kt': 'package b\n\nimport a.O1.Factory.make\n\nfun u4() = make()\n',
    }
    const expected = [
      'O1.own > O1.Factory.make @a.kt:5',
      'u1 > O1.Factory.make @a.kt:10',
      'u2 > O1.Factory.make @a.kt:11',
      'u4 > O1.Factory.make @b.kt:5',
    ]
    expect(await callers('a.kt', 'O1.make', 1, files)).toEqual(expected)
    expect(await callers('a.kt', 'O1.Factory.make', 1, files)).toEqual(expected)
  })

  it('goes through callers of callers, outermost first, and cuts rings', async () => {
    expect(await callers(`${DATA}/UserApi.kt`, 'fetch', 3)).toEqual([
      'UserRepository.load > UserApi.fetch @UserRepository.kt:13',
      'UserRepository.load > UserApi.fetch @UserRepository.kt:16',
      'Presenter.onClick > Presenter.show > UserRepository.load > UserApi.fetch @Presenter.java:18',
      'Presenter.show > UserRepository.load > UserApi.fetch @Presenter.java:23',
      'Presenter.show > Presenter.reload > UserRepository.load > UserApi.fetch @Presenter.java:25',
      'Presenter.reload > UserRepository.load > UserApi.fetch @Presenter.java:30',
      'ProfileActivity.onCreate > ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:21',
      'ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:27',
      'ProfileActivity.refresh > UserRepository.load > UserApi.fetch @ProfileActivity.kt:35',
      'ProfileActivity.refresh > ProfileActivity.render > UserRepository.load > UserApi.fetch @ProfileActivity.kt:36',
    ])
    const ring = {
      'a.kt':
        'package a\n\nfun one(n: Int) {\n    two(n)\n}\n\nfun two(n: Int) {\n    one(n)\n    two(n - 1)\n}\n\nfun main() {\n    one(3)\n}\n',
    }
    expect(await callers('a.kt', 'one', 5, ring)).toEqual([
      'one > two > one @a.kt:4',
      'two > one @a.kt:8',
      'main > one @a.kt:13',
    ])
  })

  it('says which names there are, and which of them are meant', async () => {
    const all = await writtenProject(FILES)
    expect(() => callersIn(all, `${DATA}/Text.kt`, 'nothing', 1)).toThrow(
      expect.objectContaining({ code: 'no_match', hint: expect.stringContaining('normalize') }),
    )
    expect(() => callersIn(all, `${DATA}/UserRepository.kt`, 'load', 1)).toThrow(
      expect.objectContaining({ code: 'ambiguous', hint: expect.stringContaining('UserSource.load') }),
    )
  })
})
