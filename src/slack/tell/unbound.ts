import type {People} from '../api/people.ts'
import {button, section} from '../draw/blocks.ts'
import type {Message} from '../draw/message.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'

/** What people read where they could start work, and the channel is connected to nothing. */
export interface Door {
  /** `key`: there is no key to reach a platform with. `project`: there is, and nobody said in which project. */
  unbound(user: string, lacks: 'key' | 'project'): Promise<Message>
}

export function createDoor(people: Pick<People, 'seemsAdmin'>): Door {
  return {
    unbound: async (user, lacks) => {
      const {unbound, nameOne, connect, askAdmin} = texts.connect
      const text = lacks === 'key' ? unbound : `${unbound} ${nameOne}`
      const pressed = (await people.seemsAdmin(user))
        ? button(ACTIONS.connect, connect, 'here', {style: 'primary'})
        : button(ACTIONS.askAdmin, askAdmin, 'here')
      return {text, blocks: [section(text), {type: 'actions', elements: [pressed]}]}
    },
  }
}
