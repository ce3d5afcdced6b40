import type {SlackBlock} from '../../blocks/block.ts'
import {labelIn, stringIn, type Fields} from '../live/block-shape.ts'
import {ConfirmDialog} from '../panels/confirm-dialog.tsx'
import {DateInput} from '../forms/date-input.tsx'
import type {ElementControl, InputField} from '../forms/element-control.ts'
import {FeedbackButtons, IconButton} from './feedback-buttons.tsx'
import {FileInput} from '../forms/file-input.tsx'
import {isSafeUrl} from '../text/mrkdwn.tsx'
import {OptionBoxes} from '../forms/option-boxes.tsx'
import {OptionPicker} from '../forms/option-picker.tsx'
import {OverflowMenu} from './overflow-menu.tsx'
import {PressButton} from './press-button.tsx'
import {TextInput} from '../forms/text-input.tsx'
import {useElement} from '../forms/use-element.ts'

interface ElementProps {
  element: Fields
  block: SlackBlock
  /** Of an element in an `input` block. */
  field?: InputField
}

/** The elements of an `actions` block. */
export function ElementRow({elements, block}: {elements: Fields[]; block: SlackBlock}) {
  return (
    <div className="elements">
      {elements.map((element, index) => (
        <BlockElement key={stringIn(element.action_id) ?? index} element={element} block={block} />
      ))}
    </div>
  )
}

/** One element that a person can press, choose from or type in; asks first where the app wants that. */
export function BlockElement({element, block, field}: ElementProps) {
  const place = {blockId: block.block_id ?? '', actionId: stringIn(element.action_id) ?? ''}
  const {control, asking, problem} = useElement(place, element, field)
  return (
    <>
      <Control control={control} />
      {asking && <ConfirmDialog confirm={asking.confirm} onAnswer={asking.onAnswer} />}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Control({control}: {control: ElementControl}) {
  const {element} = control
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return <ButtonElement control={control} />
    case 'icon_button':
      return <IconButton control={control} />
    case 'feedback_buttons':
      return <FeedbackButtons control={control} />
    case 'overflow':
      return <OverflowMenu control={control} />
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
    case 'multi_external_select':
    case 'users_select':
    case 'multi_users_select':
    case 'conversations_select':
    case 'multi_conversations_select':
    case 'channels_select':
    case 'multi_channels_select':
      return <OptionPicker control={control} />
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'rich_text_input':
      return <TextInput control={control} />
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return <DateInput control={control} />
    case 'radio_buttons':
    case 'checkboxes':
      return <OptionBoxes control={control} />
    case 'file_input':
      return <FileInput control={control} />
    case 'image':
      return <Accessory element={element} />
    default:
      return <span className="muted">This page cannot draw “{String(element.type)}”.</span>
  }
}

function ButtonElement({control}: {control: ElementControl}) {
  const {element} = control
  const label = labelIn(element.text) ?? ''
  const style =
    element.style === 'primary' || element.style === 'danger' ? element.style : undefined
  return <PressButton control={control} label={label} style={style} url={stringIn(element.url)} />
}

function Accessory({element}: {element: Fields}) {
  const url = stringIn(element.image_url)
  if (url === undefined || !isSafeUrl(url)) return null
  return <img className="accessory-image" src={url} alt={stringIn(element.alt_text) ?? ''} />
}
