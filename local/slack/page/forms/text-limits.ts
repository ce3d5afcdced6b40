import type {Fields} from '../live/block-shape.ts'

export function lengthIn(element: Fields): {max: number | undefined} {
  const {max_length: max} = element
  return {max: typeof max === 'number' && max > 0 ? max : undefined}
}

/**
 * When an app hears of what is typed; on Enter unless it asks for something else:
 * https://docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object
 */
export function triggersIn({dispatch_action_config: config}: Fields): string[] {
  const triggers =
    typeof config === 'object' && config !== null && 'trigger_actions_on' in config
      ? config.trigger_actions_on
      : undefined
  if (!Array.isArray(triggers)) return ['on_enter_pressed']
  return triggers.filter((trigger: unknown) => typeof trigger === 'string')
}
