import type { Message } from '../../../model/network/timeline.ts';
import { perObject } from '../../per-object.ts';
import { bytesOfBase64 } from '../../text/base64.ts';
import { defined } from '../../text/defined.ts';
import { FNV_1A } from '../../text/fnv-1a.ts';
import { inflatedText } from '../../text/inflated-text.ts';
import { NAME, readProtobuf } from '../../text/protobuf.ts';
import { TOO_MANY } from '../../time/lags.ts';

/** What a message is like: what tells content from heartbeats in any load, whatever their number and order. */
export interface MessageShape {
  /** Event, names and keys of a message, without its values, as a hash; of what cannot be read, its size. */
  readonly shape: string;
  /**
   * What it is about, by its ids, keys and symbols. What is about the same again is an update. As hashes: who compares them
   * need not know them.
   */
  readonly places: readonly string[];
  /**
   * The same with all names in a tuple left open but one, for each of them: `["diff","WOOL",…]` is a `diff` about something.
   * For streams with too many shapes. Absent where there are no names to leave open.
   */
  readonly wider?: readonly string[];
  /**
   * Where nothing says what it is about, each of its fields may: a hash of the key, and one of the value. Which one
   * it is shows what the page draws. Absent where there are none.
   */
  readonly fields?: readonly string[];
  /** What joins an answer with its question over a socket, as hashes. */
  readonly joins: readonly string[];
}

/** The shape of an event that is a comment alone: it keeps a connection open, and no listener ever hears of it. */
export const COMMENT = 'comment';

/**
 * Keys whose value is the kind of a message, or names the part of a thing that it changes. Sources: graphql-ws, SignalR,
 * ActionCable, Ably, JSON-RPC, DDP, OpenAI; JSON Patch (`path`, RFC 6902).
 */
const NAMING_KEYS: ReadonlySet<string> = new Set([
  'type',
  'event',
  'kind',
  'op',
  'action',
  'method',
  'channel',
  'topic',
  'target',
  'command',
  'cmd',
  'msg',
  't',
  'object',
  'field',
  'property',
  'attribute',
  'column',
  'path',
]);
/** Keys whose value is the name of one thing among many. Words that end like ids are none: what is bid or paid is a figure. */
const PLACE_KEY =
  /^(?!(?:a|ac|av|b|flu|gr|hum|inval|la|ma|m|pa|ra|rap|sa|sol|val|vo|avo)id$)(?:_?id|key|name|symbol|ticker|sku|slug|uuid|slot|panel|widget|section|part|row|path|[a-z]+_?id|[a-z]+Key)$/;
/** Numbers and times that are written as texts. */
const FIGURE = /^(?=.*\d)[-+\d.,:eETZ/]+$/;
/** Deeper values belong to the content, not to the message. */
const MAX_DEPTH = 4;
/** So many items of a list tell what it is like. */
const MAX_ITEMS = 50;
/** The size of what cannot be read, in powers of this factor. */
const SIZE_FACTOR = 16;

/**
 * Keys whose value joins an answer with its question. Sources: graphql-ws and JSON-RPC (`id`), SignalR (`invocationId`),
 * Action Cable clients (`ref`), Slack and chat APIs (`reply_to`, `nonce`), home-made ones (`requestId`, `seq`).
 */
const JOINING_KEY =
  /^(?:_?id|ref|seq|nonce|cid|rid|mid|reply_?to|(?:req|request|invocation|message|msg|correlation|query|subscription|call|operation)_?id)$/i;
/** Keys of lists that answer several questions at once. Source: DDP. */
const JOINING_LIST = /^(?:ids|subs|methods)$/i;
/** Longer lists are no tuples, though they have texts among their items. */
const MAX_TUPLE = 6;
/** Shorter tuples have no id of a question as their second item. Sources: Phoenix (5), WAMP (3 to 6), OCPP (3 and 4). */
const MIN_TUPLE = 3;

/** What a message is like. */
export const shapeOf = perObject((message: Message) =>
  message.shape === undefined ? read(message) : recorded(message, message.shape),
);

/** What a text is like, as the body of an event of this name where it has one. */
export function shapeOfText(text: string, eventName?: string): Omit<MessageShape, 'joins'> {
  const event = eventName === undefined || eventName === 'message' ? '' : `event=${eventName} `;
  const { shape, places, wider, fields } = ofText(text);
  return {
    shape: hashed(event + shape),
    places,
    ...defined({ fields }),
    ...(wider && { wider: wider.map((each) => hashed(event + each)) }),
  };
}

function recorded({ joins, places = [], text = '', wider, fields }: Message, shape: string): MessageShape {
  return { shape, places, joins: joins ?? joinsOf(text), ...defined({ wider, fields }) };
}

function read({ text, bytes, eventName, opcode = 1, joins }: Message): MessageShape {
  const whole = opcode === 1 ? text : inflatedText(text ?? '');
  const said = whole === undefined ? undefined : unpacked(whole);
  if (said !== undefined) return { ...shapeOfText(said, eventName), joins: joins ?? joinsOf(said) };
  const shape = opcode === 1 ? { shape: sized('bytes', bytes), places: [] } : ofBytes(text ?? '', bytes);
  return { ...shape, joins: joins ?? [] };
}

/** What ends a record where several are in one message. Source: SignalR. */
const RECORD_END = '\u001e';

/** The messages that SockJS packs into one, as records: `a["{…}","{…}"]`, and what goes the other way without the letter. */
function unpacked(text: string): string {
  const packed = /^a?(\["(?:\{|\[|[A-Z]+\\n)[\s\S]*\])$/.exec(text)?.[1];
  const messages = packed === undefined ? undefined : parsed(packed);
  const areTexts = Array.isArray(messages) && messages.every((each) => typeof each === 'string');
  return areTexts ? messages.join(RECORD_END) : text;
}

/** @param base64 as the browser tells of binary messages */
function ofBytes(base64: string, size: number): Omit<MessageShape, 'joins'> {
  // Few bytes that are none look like a whole message with an id and more.
  const bytes = bytesOfBase64(base64);
  const message = shapeOfProtobuf(bytes);
  if (message && message.places.length > 0) return message;
  return { shape: `${kindOf(base64)}${sized('bytes', size)}`, places: [], ...defined({ fields: headersIn(bytes) }) };
}

/** What a message of Protocol Buffers is like by its fields, and about by the first of them; undefined where the bytes are none. */
export function shapeOfProtobuf(bytes: Uint8Array): Omit<MessageShape, 'joins'> | undefined {
  const message = readProtobuf(bytes);
  if (message === undefined) return undefined;
  const { fields, first } = message;
  return { shape: `fields ${fields}`, places: first === undefined ? [] : [hashed(first)] };
}

/** Kinds of messages are numbered from 0 on, in the first byte. Source: Yjs, and most protocols of one's own. */
const MAX_KINDS = 32;

/** A message of bytes is about what its header says, where kind and place stand; how long that is, is seen in what it draws. Source: RFB. */
function headersIn(bytes: Uint8Array): readonly string[] | undefined {
  const header = [...bytes.subarray(0, TOO_MANY)];
  if (header.length === 0) return undefined;
  return header.map((_, i) => fieldOf(`${i + 1} bytes`, header.slice(0, i + 1).join(' ')));
}

/** What kind of message it is by its first byte; nothing where that is no small number. */
function kindOf(base64: string): string {
  // Long messages are cut off.
  const [first = MAX_KINDS] = bytesOfBase64(base64.slice(0, 4));
  return first < MAX_KINDS ? `${first} ` : '';
}

/** The ids that a message carries, by their values: some protocols name them differently in question and answer. */
export function joinsOf(text: string): readonly string[] {
  // Socket.IO: an event that wants an answer has a number, and its answer has the same.
  const packet = /^4[23](?:\/[\w-]+,)?(\d+)\[/.exec(text)?.[1];
  if (packet !== undefined) return [hashed(`packet ${packet}`)];
  return unpacked(text)
    .split(RECORD_END)
    .flatMap((record) => (/^\s*[[{]/.test(record) ? joiningValues(parsed(record)) : subscriptionOf(record)))
    .map((id) => hashed(`${id}`));
}

/** STOMP names a subscription by its id, and a message by its subscription. Source: STOMP 1.2. */
function subscriptionOf(frame: string): readonly string[] {
  const [, command, headers = ''] = /^(SUBSCRIBE|MESSAGE)\r?\n([\s\S]*?)(?:\r?\n){2}/.exec(frame) ?? [];
  if (command === undefined) return [];
  const id = (command === 'SUBSCRIBE' ? /^id:(.+)$/m : /^subscription:(.+)$/m).exec(headers)?.[1];
  return id === undefined ? [] : [`subscription ${id.trim()}`];
}

function joiningValues(value: unknown): readonly (string | number)[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.length >= MIN_TUPLE && value.length <= MAX_TUPLE ? ids(value.slice(1, 2)) : [];
  return Object.entries(value).flatMap(([key, each]) => {
    // Firebase has it in the data of its frames.
    if (key === 'd' && isRecord(each)) return ids([each.r]);
    if (JOINING_KEY.test(key)) return ids([each]);
    return JOINING_LIST.test(key) && Array.isArray(each) ? ids(each.slice(0, MAX_ITEMS)) : [];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ids(values: readonly unknown[]): readonly (string | number)[] {
  return values.filter((each) => typeof each === 'string' || typeof each === 'number');
}

function ofText(whole: string): Omit<MessageShape, 'joins'> {
  // SignalR ends each of its records with a separator; the first one says what comes.
  const [text = ''] = whole.split(RECORD_END);
  if (/^[-+\d.,:eTZ\s]+$/.test(text)) return { shape: 'number', places: [] };
  const frame = FRAME.exec(text);
  if (frame) return ofFrame(frame);
  const row = KEYED_ROW.exec(text);
  if (row) return ofRow(row);
  // Socket.IO and Engine.IO put a packet's kind in front of its body, two digits, and then perhaps its number.
  const [, packet = '', body = ''] = /^(\d{0,2})\d*(?:\/[\w-]+,)?([\s\S]*)$/.exec(text.trim()) ?? [];
  if (/^<[a-z]/i.test(text)) return ofMarkup(text);
  const value = /^[[{]/.test(body) ? parsed(body) : undefined;
  if (value === undefined) return { shape: ofWords(text), places: [] };
  const places = new Set<string>();
  const inPacket = (shape: string): string => (packet === '' ? shape : `packet ${packet} ${shape}`);
  const shape = inPacket(ofValue(value, 0, places));
  const names = isTuple(value) ? value.filter(isName) : [];
  const things = [...places];
  if (things.length === 0 && names.length === 0) return { shape, places: [], ...defined({ fields: fieldsOf(value) }) };
  if (!isTuple(value) || names.length < 2) return { shape, places: things };
  return {
    shape,
    places: things.length > 0 ? things : [hashed(names.filter((name) => !FIGURE.test(name)).join(' '))],
    wider: value.map((_, kept) => inPacket(ofTuple(value, new Set(), kept))),
  };
}

/** What a server sends over STOMP: a command, headers, and a body. Source: STOMP 1.2. */
const FRAME = /^(CONNECTED|MESSAGE|RECEIPT|ERROR)\r?\n([\s\S]*?)(?:\r?\n){2}([^\0]*)/;

/** A frame is about its destination, and about what its body names there. */
function ofFrame([, command = '', headers = '', body = '']: RegExpExecArray): Omit<MessageShape, 'joins'> {
  const destination = /^destination:(.+)$/m.exec(headers)?.[1]?.trim();
  const { shape, places } = ofText(body);
  if (destination === undefined) return { shape: `frame ${command}`, places: [] };
  const things = places.length > 0 ? places : [''];
  return { shape: `frame ${command} ${shape}`, places: things.map((thing) => hashed(`${destination} ${thing}`)) };
}

/** Rows with a key and a value. Sources: React's flight format (`3:["$","div",…]`, `1:I[…]`), Vercel's AI SDK (`0:"Once"`). */
const KEYED_ROW = /^([0-9a-z]{1,8}):([A-Z]{0,2})((?:\[|\{|")[\s\S]*)$/;

/** What a row is like is its kind of value; the key says what it is about. */
function ofRow([, key = '', tag = '', value = '']: RegExpExecArray): Omit<MessageShape, 'joins'> {
  const kind = value.startsWith('{') ? ofValue(parsed(value), 0, new Set()) : value.charAt(0);
  return { shape: `row ${tag}${kind}`, places: [hashed(key)] };
}

/** Markup that is put somewhere in the page: what is done by the names of its first element, and where by its target. */
function ofMarkup(text: string): Omit<MessageShape, 'joins'> {
  const [, tag = '', attributes = ''] = /^<([a-z][\w-]*)([^>]{0,1000})/i.exec(text) ?? [];
  const pairs = [...attributes.matchAll(/([\w:-]+)\s*=\s*["']([^"']*)["']/g)].map(([, name = '', value = '']) => ({
    name: name.toLowerCase(),
    value,
  }));
  const names = pairs.map(({ name, value }) =>
    NAMING_KEYS.has(name) && name !== 'target' ? `${name}=${value}` : name,
  );
  const places = pairs
    .filter(({ name }) => MARKUP_PLACES.has(name))
    .map(({ name, value }) => hashed(`${name}=${value}`));
  return { shape: `<${tag.toLowerCase()} ${names.toSorted().join(' ')}>`, places };
}

/** Attributes that say where markup goes. Sources: Turbo streams, htmx's out-of-band swaps. */
const MARKUP_PLACES: ReadonlySet<string> = new Set(['id', 'target', 'targets', 'hx-swap-oob', 'slot']);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Commands come first in a line (STOMP, XMPP, home-made ones); anything else is told by its size. */
function ofWords(text: string): string {
  const [, command] = /^<?([A-Za-z][\w:.-]{0,30})(?:[\s|,;>]|$)/.exec(text) ?? [];
  const isCommand = command !== undefined && (text.trim() === command || command === command.toUpperCase());
  return isCommand ? `word ${withoutNumbers(command)}` : sized('text', text.length);
}

function sized(what: string, size: number): string {
  return `${what} ${Math.floor(Math.log(Math.max(1, size)) / Math.log(SIZE_FACTOR))}`;
}

function ofValue(value: unknown, depth: number, places: Set<string>): string {
  if (Array.isArray(value)) return ofList(value, depth, places);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? 's' : value === null ? '0' : 'n';
  if (depth >= MAX_DEPTH) return '{}';
  const fields = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => {
      if (PLACE_KEY.test(key) && (typeof each === 'string' || typeof each === 'number'))
        places.add(hashed(`${key}=${each}`));
      if (NAMING_KEYS.has(key) && (typeof each === 'number' || isName(each)))
        return `${key}=${typeof each === 'string' ? withoutNumbers(each) : each}`;
      const inner = typeof each === 'object' && each !== null ? ofValue(each, depth + 1, places) : '';
      // Ids as keys: a map of things.
      return withoutNumbers(key) + inner;
    });
  return `{${[...new Set(fields)].join(',')}}`;
}

/** The whole numbers and names in an object, `{"rack":4,"load":37}`, or in a short list of figures; undefined where there are none. */
function fieldsOf(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > MAX_TUPLE) return undefined;
  const fields = Object.entries(value).filter(([, each]) => Number.isInteger(each) || isName(each));
  if (fields.length === 0 || fields.length > TOO_MANY) return undefined;
  return fields.map(([key, each]) => fieldOf(key, each));
}

const fieldOf = (key: string, value: unknown): string => `${hashed(key)}=${hashed(`${key}=${value}`)}`;

/** The key of a field, as a hash. */
export function keyOfField(field: string): string {
  return field.slice(0, field.indexOf('='));
}

const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value);

/** Tuples name what they are by their strings: `["news",{…}]`, `[null,"3","room:7","new_msg",{…}]`. */
function isTuple(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_TUPLE && value.some((each) => typeof each === 'string');
}

/** @param kept the place of the only name that counts; all count where nothing is said */
function ofTuple(tuple: readonly unknown[], places: Set<string>, kept?: number): string {
  const parts = tuple.map((each, i) => {
    if (!isName(each)) return ofValue(each, 1, places);
    return kept === undefined || kept === i ? withoutNumbers(each) : 's';
  });
  return `[${parts.join(',')}]`;
}

function ofList(list: readonly unknown[], depth: number, places: Set<string>): string {
  if (depth === 0 && isTuple(list)) return ofTuple(list, places);
  if (depth >= MAX_DEPTH) return '[]';
  const items = new Set(list.slice(0, MAX_ITEMS).map((each) => ofValue(each, depth + 1, places)));
  const many = list.length > 1 ? '+' : '';
  return `[${[...items].toSorted().slice(0, 3).join('|')}${many}]`;
}

function hashed(text: string): string {
  let hash: number = FNV_1A.start;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_1A.prime);
  return (hash >>> 0).toString(36);
}

function withoutNumbers(name: string): string {
  return name.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/gi, '0');
}
