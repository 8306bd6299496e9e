CREATE ROLE formalize LOGIN PASSWORD 'secret-of-formalize';
CREATE DATABASE formalize OWNER formalize;
