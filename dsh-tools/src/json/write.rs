//! A Rust value as JSON, refused where JSON would not give it back.
//!
//! `serde_json::to_value` writes a float that is not finite as `null`, which would tell a model
//! something that the tool did not say.

use std::fmt::{self, Display};

use serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct,
    SerializeStructVariant, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
    Serializer,
};
use serde_json::{Map, Number, Value};

/// The JSON of a value.
///
/// # Errors
/// The value holds a float that is not finite or is negative zero, an integer beyond 64 bits, or a
/// map whose keys are no text; or its type refuses to be written.
pub(crate) fn write<T: Serialize + ?Sized>(value: &T) -> Result<Value, Lossy> {
    value.serialize(Writer)
}

/// A value that JSON would not give back as it was.
#[derive(Debug)]
pub(crate) struct Lossy(String);

impl Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lossy {}

impl serde::ser::Error for Lossy {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The number that an `f32` is in JSON: of its own digits, not of those of the `f64` that it is.
pub(crate) fn widened(value: f32) -> f64 {
    let exact = f64::from(value);
    // Whole numbers of 24 bits have the same digits either way.
    if exact.fract() == 0.0 && exact.abs() < 16_777_216.0 {
        return exact;
    }
    value.to_string().parse().unwrap_or(exact)
}

#[derive(Clone, Copy)]
struct Writer;

macro_rules! integers {
    ($($method:ident: $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<Value, Lossy> {
            Ok(value.into())
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = Lossy;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    integers! {
        serialize_bool: bool;
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
    }

    fn serialize_i128(self, value: i128) -> Result<Value, Lossy> {
        let number =
            Number::from_i128(value).ok_or_else(|| Lossy::custom("an integer beyond 64 bits"))?;
        Ok(number.into())
    }

    fn serialize_u128(self, value: u128) -> Result<Value, Lossy> {
        let number =
            Number::from_u128(value).ok_or_else(|| Lossy::custom("an integer beyond 64 bits"))?;
        Ok(number.into())
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Lossy> {
        self.serialize_f64(widened(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Lossy> {
        if value == 0.0 && value.is_sign_negative() {
            return Err(Lossy::custom("negative zero"));
        }
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| Lossy::custom("a float that is not finite"))
    }

    fn serialize_char(self, value: char) -> Result<Value, Lossy> {
        Ok(value.to_string().into())
    }

    fn serialize_str(self, value: &str) -> Result<Value, Lossy> {
        Ok(value.into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Lossy> {
        Ok(value.iter().copied().map(Value::from).collect())
    }

    fn serialize_none(self) -> Result<Value, Lossy> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Lossy> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Lossy> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, Lossy> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, Lossy> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, Lossy> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Lossy> {
        Ok(tagged(Some(variant), value.serialize(self)?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Lossy> {
        Ok(Items { items: Vec::with_capacity(length.unwrap_or_default().min(4096)), variant: None })
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Lossy> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Items, Lossy> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items, Lossy> {
        Ok(Items { variant: Some(variant), ..self.serialize_seq(Some(length))? })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Members, Lossy> {
        // What a type says of its length is taken as a hint, up to a point.
        let written = Map::with_capacity(length.unwrap_or_default().min(4096));
        Ok(Members { written, key: None, variant: None })
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Members, Lossy> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members, Lossy> {
        Ok(Members { variant: Some(variant), ..self.serialize_map(Some(length))? })
    }
}

/// The value of an enum variant with data: by its name, where it has one.
fn tagged(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        None => value,
        Some(variant) => Map::from_iter([(variant.to_owned(), value)]).into(),
    }
}

struct Items {
    items: Vec<Value>,
    variant: Option<&'static str>,
}

macro_rules! items {
    ($($trait:ident: $method:ident;)*) => {$(
        impl $trait for Items {
            type Ok = Value;
            type Error = Lossy;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Lossy> {
                self.items.push(value.serialize(Writer)?);
                Ok(())
            }

            fn end(self) -> Result<Value, Lossy> {
                Ok(tagged(self.variant, self.items.into()))
            }
        }
    )*};
}

items! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

struct Members {
    written: Map<String, Value>,
    key: Option<String>,
    variant: Option<&'static str>,
}

impl Members {
    fn end(self) -> Value {
        tagged(self.variant, self.written.into())
    }
}

impl SerializeMap for Members {
    type Ok = Value;
    type Error = Lossy;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Lossy> {
        self.key = Some(key.serialize(KeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Lossy> {
        let key = self.key.take().ok_or_else(|| Lossy::custom("a value without a key"))?;
        self.written.insert(key, value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<Value, Lossy> {
        Ok(self.end())
    }
}

macro_rules! members {
    ($($trait:ident;)*) => {$(
        impl $trait for Members {
            type Ok = Value;
            type Error = Lossy;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Lossy> {
                self.written.insert(key.to_owned(), value.serialize(Writer)?);
                Ok(())
            }

            fn end(self) -> Result<Value, Lossy> {
                Ok(self.end())
            }
        }
    )*};
}

members! { SerializeStruct; SerializeStructVariant; }

/// Keys are text; a number as a key would come back as text.
struct KeyWriter;

macro_rules! no_keys {
    ($($method:ident: $type:ty;)*) => {$(
        fn $method(self, _value: $type) -> Result<String, Lossy> {
            Err(no_key())
        }
    )*};
}

fn no_key() -> Lossy {
    Lossy::custom("a map whose keys are no text")
}

impl Serializer for KeyWriter {
    type Ok = String;
    type Error = Lossy;
    type SerializeSeq = Impossible<String, Lossy>;
    type SerializeTuple = Impossible<String, Lossy>;
    type SerializeTupleStruct = Impossible<String, Lossy>;
    type SerializeTupleVariant = Impossible<String, Lossy>;
    type SerializeMap = Impossible<String, Lossy>;
    type SerializeStruct = Impossible<String, Lossy>;
    type SerializeStructVariant = Impossible<String, Lossy>;

    no_keys! {
        serialize_bool: bool;
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
        serialize_f32: f32;
        serialize_f64: f64;
        serialize_bytes: &[u8];
        serialize_unit_struct: &'static str;
    }

    fn serialize_str(self, value: &str) -> Result<String, Lossy> {
        Ok(value.to_owned())
    }

    fn serialize_char(self, value: char) -> Result<String, Lossy> {
        Ok(value.to_string())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<String, Lossy> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<String, Lossy> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<String, Lossy> {
        Err(no_key())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _value: &T) -> Result<String, Lossy> {
        Err(no_key())
    }

    fn serialize_unit(self) -> Result<String, Lossy> {
        Err(no_key())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<String, Lossy> {
        Err(no_key())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Self::SerializeSeq, Lossy> {
        Err(no_key())
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple, Lossy> {
        Err(no_key())
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleStruct, Lossy> {
        Err(no_key())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, Lossy> {
        Err(no_key())
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Lossy> {
        Err(no_key())
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStruct, Lossy> {
        Err(no_key())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, Lossy> {
        Err(no_key())
    }
}
