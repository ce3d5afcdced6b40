import type {People} from '../api/people.ts'
import {type Message, button, section} from '../draw/blocks.ts'
import {ACTIONS} from '../ids.ts'
import {nameLine} from '../markup/lines.ts'
import {texts} from '../texts.ts'

/** What people read where they could start work, and the channel is connected to nothing. */
export interface Unconnected {
  /** `key`: there is no key to reach a platform with. `project`: there is, and nobody said in which project. */
  answer(user: string, lacks: 'key' | 'project'): Promise<Message>
}

export function createUnconnected(people: Pick<People, 'seemsAdmin' | 'adminNames'>): Unconnected {
  return {
    answer: async (user, lacks) => {
      const {unbound, nameOne, connect, askAdmin, whoCan} = texts.unconnected
      const isAdmin = await people.seemsAdmin(user)
      const admins = isAdmin ? [] : (await people.adminNames()).map(nameLine)
      const text = [
        unbound,
        ...(lacks === 'key' ? [] : [nameOne]),
        ...(admins.length === 0 ? [] : [whoCan(admins)]),
      ].join(' ')
      const pressed = isAdmin
        ? button(ACTIONS.connect, connect, 'here', {style: 'primary'})
        : button(ACTIONS.askAdmin, askAdmin, 'here')
      return {text, blocks: [section(text), {type: 'actions', elements: [pressed]}]}
    },
  }
}
